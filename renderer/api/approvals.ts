/** The part of the API that answers tools which ask first, and tells what is always allowed. */
import type { ApprovalBody, ToolPermissionInfo } from '../../shared/api/approval.ts';
import type { Chat } from '../../shared/api/chat.ts';
import type { Ask } from './http.ts';

/** Answers to tools that ask first. */
export type ApprovalApi = ReturnType<typeof approvalApi>;

/** The part of a client that {@link ApprovalApi} is. */
export const approvalApi = (ask: Ask) => ({
  /** Answers what a step of the chat waits for. The same answer again changes nothing. */
  answerApproval: (chatId: string, approvalId: string, body: ApprovalBody): Promise<Chat> => {
    const params = { path: { chatId, approvalId } };
    return ask((api) => api.POST('/api/v1/chats/{chatId}/approvals/{approvalId}', { params, body })).then(
      ({ chat }) => chat,
    );
  },
  /** What is always allowed, by the name of the tool; needs the scope `admin`. */
  listToolPermissions: (): Promise<ToolPermissionInfo[]> =>
    ask((api) => api.GET('/api/v1/tool-permissions')).then(({ permissions }) => permissions),
  /** Has a tool ask again, by the id of the permission; needs the scope `admin`. */
  forgetToolPermission: (id: string): Promise<ToolPermissionInfo> => {
    const params = { path: { tool: id } };
    return ask((api) => api.DELETE('/api/v1/tool-permissions/{tool}', { params })).then(
      ({ permission }) => permission,
    );
  },
});
