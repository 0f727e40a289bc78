import { ApprovalBody, ToolPermissionAnswer, ToolPermissionList } from '../../shared/api/approval.ts';
import { ChatAnswer, type Chat } from '../../shared/api/chat.ts';
import { requireAdmin } from '../auth/caller.ts';
import type { PendingApprovals } from '../turns/approvals.ts';
import type { StoredChat } from '../store/chat-repository.ts';
import { createEndpoints, type App } from '../plugins/endpoints.ts';

/** Dependencies of these routes. */
export interface ApprovalRouteDeps {
  approvals: PendingApprovals;
  /** A stored chat as clients see it. */
  toChat: (chat: StoredChat) => Chat;
}

/** Endpoints that approve or deny tool calls, and those about tools that are always allowed. */
export function setupApprovalRoutes(app: App, { approvals, toChat }: ApprovalRouteDeps): void {
  const api = createEndpoints(app, 'Approvals');
  api.post('/api/v1/chats/:chatId/approvals/:approvalId', 'answerApproval', 'Approve or deny a tool call', {
    description: 'The steps of the reply say which call waits. No answer within an hour counts as a no.',
    // Only admins may send `remember`.
    errors: ['conflict', 'forbidden'],
    body: ApprovalBody,
    response: { 200: ChatAnswer },
    access: 'approve',
    workspace: 'found',
    handle: async ({ params, body, workspaceId, request }) => {
      const { decision, remember = false } = body;
      // That allows the tool for everybody in the workspace.
      if (remember) requireAdmin(request.raw);
      const chat = await approvals.decide({ ...params, workspaceId, decision, remember });
      return { chat: toChat(chat) };
    },
  });

  api.get('/api/v1/tool-permissions', 'listToolPermissions', 'List the tools that are always allowed', {
    response: { 200: ToolPermissionList },
    access: 'admin',
    result: () => approvals.permissions(),
  });

  api.delete('/api/v1/tool-permissions/:tool', 'deleteToolPermission', 'Make a tool ask again', {
    description: 'Send a tool’s name instead of an id to revoke all permissions of that tool.',
    response: { 200: ToolPermissionAnswer },
    access: 'admin',
    result: ({ params }) => approvals.forget(params.tool),
  });
}
