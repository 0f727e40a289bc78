import { Type, type Static } from 'typebox';
import { orNull, Timestamp, WorkspaceId } from './common.ts';

/** Path of `POST /api/v1/chats/:chatId/approvals/:approvalId`. */
export const ApprovalParams = Type.Object({
  chatId: Type.String({ description: 'Id of the chat.' }),
  approvalId: Type.String({ description: 'Id of the approval, from the step’s `approval`.' }),
});

/** Body of `POST /api/v1/chats/:chatId/approvals/:approvalId`. */
export const ApprovalBody = Type.Object({
  decision: Type.Enum(['approve', 'deny'], { description: '`approve` or `deny`.' }),
  remember: Type.Optional(
    Type.Boolean({
      description:
        'Whether to always allow this tool in this workspace, with the same folder, site or tool server, until its description changes. Default: `false`. Only with `approve`, and only with the scope `admin`.',
    }),
  ),
  workspaceId: Type.Optional(WorkspaceId),
});
export type ApprovalBody = Static<typeof ApprovalBody>;
export type ApprovalDecision = ApprovalBody['decision'];

/** What a permission is limited to: an allowed folder, a website or a tool server. */
export const PERMISSION_PLACES = ['folder', 'site', 'server'] as const;
export type PermissionPlace = (typeof PERMISSION_PLACES)[number];

export const ToolPermissionInfo = Type.Object(
  {
    id: Type.String({ description: 'Unique id.', examples: ['01jd3v6k2q8x'] }),
    tool: Type.String({ description: 'The tool’s name.', examples: ['write_file'] }),
    workspaceId: Type.String({
      description: 'The workspace in which it is always allowed.',
      examples: ['9a3e5f71-2c4d-4b8a-a6f0-1d2e3c4b5a69'],
    }),
    place: orNull(Type.Object({ kind: Type.Enum([...PERMISSION_PLACES]), name: Type.String() }), {
      description: 'What the permission is limited to. Null: the tool works with none of these.',
    }),
    createdAt: Timestamp,
  },
  { description: 'A tool that is always allowed in a workspace.' },
);
export type ToolPermissionInfo = Static<typeof ToolPermissionInfo>;

/** Answer of `GET /api/v1/tool-permissions`, by name; needs the scope `admin`. */
export const ToolPermissionList = Type.Object({
  permissions: Type.Array(ToolPermissionInfo, { description: 'By name.' }),
});
export type ToolPermissionList = Static<typeof ToolPermissionList>;

/** Answer of `DELETE /api/v1/tool-permissions/:id`, or `/:tool` for all of a tool; needs the scope `admin`. */
export const ToolPermissionAnswer = Type.Object({ permission: ToolPermissionInfo });
export type ToolPermissionAnswer = Static<typeof ToolPermissionAnswer>;
