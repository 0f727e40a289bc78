/** The part of the API that answers tools which ask first, and tells what is always allowed. */
import type {
  ApprovalBody,
  ToolPermissionAnswer,
  ToolPermissionInfo,
  ToolPermissionList,
} from '../../shared/api/approval.ts';
import type { Chat, ChatAnswer } from '../../shared/api/chat.ts';
import type { Request } from './http.ts';

/** Answers to tools that ask first. */
export interface ApprovalApi {
  /** Answers what a step of the chat waits for. The same answer again changes nothing. */
  answerApproval(chatId: string, approvalId: string, body: ApprovalBody): Promise<Chat>;
  /** What is always allowed, by the name of the tool; needs the scope `admin`. */
  listToolPermissions(): Promise<ToolPermissionInfo[]>;
  /** Has a tool ask again, by the id of the permission; needs the scope `admin`. */
  forgetToolPermission(id: string): Promise<ToolPermissionInfo>;
}

/** The part of a client that {@link ApprovalApi} describes. */
export function approvalApi(request: Request): ApprovalApi {
  return {
    answerApproval: async (chatId, approvalId, body) => {
      const path = `/api/v1/chats/${encodeURIComponent(chatId)}/approvals/${encodeURIComponent(approvalId)}`;
      return (await request<ChatAnswer>('POST', path, { body })).chat;
    },
    listToolPermissions: async () =>
      (await request<ToolPermissionList>('GET', '/api/v1/tool-permissions')).permissions,
    forgetToolPermission: async (id) => {
      const path = `/api/v1/tool-permissions/${encodeURIComponent(id)}`;
      return (await request<ToolPermissionAnswer>('DELETE', path)).permission;
    },
  };
}
