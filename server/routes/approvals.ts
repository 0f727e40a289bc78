import { Type } from 'typebox';
import {
  ApprovalBody,
  ApprovalParams,
  ToolPermissionAnswer,
  ToolPermissionList,
} from '../../shared/api/approval.ts';
import { ChatAnswer, type Chat } from '../../shared/api/chat.ts';
import { WorkspaceQuery } from '../../shared/api/common.ts';
import { requireAdmin } from '../auth/caller.ts';
import { AppError } from '../errors.ts';
import type { Approvals } from '../turns/approvals.ts';
import { findWorkspaceId, type HasWorkspace } from '../plugins/workspace.ts';
import type { StoredChat } from '../store/chat-repository.ts';
import { absentBodyIsEmpty, adminOnly, approveOnly, type App } from '../plugins/route.ts';

const ToolParams = Type.Object({ tool: Type.String() });

/** What the routes below call. */
export interface ApprovalRouteDeps {
  approvals: Approvals;
  hasWorkspace: HasWorkspace;
  toChat: (chat: StoredChat) => Chat;
}

/** Endpoints that answer tools which ask first, and those about what is always allowed. */
export function setupApprovalRoutes(app: App, { approvals, hasWorkspace, toChat }: ApprovalRouteDeps): void {
  app.post(
    '/api/v1/chats/:chatId/approvals/:approvalId',
    {
      schema: {
        params: ApprovalParams,
        body: ApprovalBody,
        querystring: WorkspaceQuery,
        response: { 200: ChatAnswer },
      },
      onRequest: approveOnly,
      preValidation: absentBodyIsEmpty,
    },
    async (request) => {
      const { decision, remember = false } = request.body;
      // What is always allowed is allowed for everybody in the workspace.
      if (remember) requireAdmin(request.raw);
      const workspaceId = findWorkspaceId(request, hasWorkspace);
      const chat = await approvals.decide({ ...request.params, workspaceId, decision, remember });
      return { chat: toChat(chat) };
    },
  );

  app.get(
    '/api/v1/tool-permissions',
    { schema: { response: { 200: ToolPermissionList } }, onRequest: adminOnly },
    async () => ({ permissions: await approvals.permissions() }),
  );

  app.delete(
    '/api/v1/tool-permissions/:tool',
    { schema: { params: ToolParams, response: { 200: ToolPermissionAnswer } }, onRequest: adminOnly },
    async (request) => {
      const permission = await approvals.forget(request.params.tool);
      if (permission === null) throw new AppError('permission_not_found');
      return { permission };
    },
  );
}
