import { Type, type Static } from 'typebox';
import { choice, flag, list, object, orNull, text, Timestamp, WorkspaceId } from './common.ts';

/** Body of `POST /api/v1/chats/:chatId/approvals/:approvalId`. */
export const ApprovalBody = Type.Object({
  decision: choice(['approve', 'deny'], '`approve` or `deny`.'),
  remember: Type.Optional(
    flag(
      'Whether to always allow this tool in this workspace, with the same folder, site or tool server, until its description changes. Default: `false`. Only with `approve`, and only with the scope `admin`.',
    ),
  ),
  workspaceId: Type.Optional(WorkspaceId),
});
export type ApprovalBody = Static<typeof ApprovalBody>;
export type ApprovalDecision = ApprovalBody['decision'];

/** What a permission is limited to: an allowed folder, a website or a tool server. */
export const PERMISSION_PLACES = ['folder', 'site', 'server'] as const;
export type PermissionPlace = (typeof PERMISSION_PLACES)[number];

export const ToolPermissionInfo = object('A tool that is always allowed in a workspace.', {
  id: text('Unique id.', '01jd3v6k2q8x'),
  tool: text('The tool’s name.', 'write_file'),
  workspaceId: text('The workspace in which it is always allowed.', '9a3e5f71-2c4d-4b8a-a6f0-1d2e3c4b5a69'),
  place: orNull(
    Type.Object({ kind: choice([...PERMISSION_PLACES]), name: Type.String() }),
    'What the permission is limited to. Null: the tool works with none of these.',
  ),
  createdAt: Timestamp,
});
export type ToolPermissionInfo = Static<typeof ToolPermissionInfo>;

/** Answer of `GET /api/v1/tool-permissions`, by name; needs the scope `admin`. */
export const ToolPermissionList = Type.Object({
  permissions: list(ToolPermissionInfo, 'By name.'),
});
export type ToolPermissionList = Static<typeof ToolPermissionList>;

/** Answer of `DELETE /api/v1/tool-permissions/:id`, or `/:tool` for all of a tool; needs the scope `admin`. */
export const ToolPermissionAnswer = Type.Object({ permission: ToolPermissionInfo });
