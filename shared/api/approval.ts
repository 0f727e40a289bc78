import { Type, type Static } from 'typebox';
import { Timestamp, WorkspaceId } from './common.ts';

/** Answers to a tool that asks first. */
export const APPROVAL_DECISIONS = ['approve', 'deny'] as const;
export type ApprovalDecision = (typeof APPROVAL_DECISIONS)[number];

/** The `error` of a step that was not allowed. */
export const DENIED_WORDS = 'The answer was no, so this was not done.';
/** The `error` of a step that nobody answered in time. */
export const EXPIRED_WORDS = 'Nobody answered in time, so this was not done.';

/** Path of `POST /api/v1/chats/:chatId/approvals/:approvalId`. */
export const ApprovalParams = Type.Object({ chatId: Type.String(), approvalId: Type.String() });

/** Body of `POST /api/v1/chats/:chatId/approvals/:approvalId`. */
export const ApprovalBody = Type.Object({
  decision: Type.Enum([...APPROVAL_DECISIONS], { description: '"approve" or "deny"' }),
  /**
   * Whether the tool is always allowed from here on, without being asked about; `false` unless given. Only with `approve`, and
   * for the scope `admin`.
   */
  remember: Type.Optional(Type.Boolean({ description: 'true or false' })),
  workspaceId: Type.Optional(WorkspaceId),
});
export type ApprovalBody = Static<typeof ApprovalBody>;

/** A tool that is always allowed. */
export const ToolPermissionInfo = Type.Object({ tool: Type.String(), createdAt: Timestamp });
export type ToolPermissionInfo = Static<typeof ToolPermissionInfo>;

/** Answer of `GET /api/v1/tool-permissions`, by name; needs the scope `admin`. */
export const ToolPermissionList = Type.Object({ permissions: Type.Array(ToolPermissionInfo) });
export type ToolPermissionList = Static<typeof ToolPermissionList>;

/** Answer of `DELETE /api/v1/tool-permissions/:tool`; needs the scope `admin`. */
export const ToolPermissionAnswer = Type.Object({ permission: ToolPermissionInfo });
export type ToolPermissionAnswer = Static<typeof ToolPermissionAnswer>;
