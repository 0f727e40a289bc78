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

const ToolParams = Type.Object({
  tool: Type.String({ description: 'Id of the permission, or the name of a tool.' }),
});

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
        operationId: 'answerApproval',
        summary: 'Answer a tool that asks first',
        tags: ['Approvals'],
        description:
          'Which tool asks, the steps of the reply say. Nobody’s answer within an hour counts as a no.',
        // `remember` is for admins alone.
        errors: ['conflict', 'forbidden'],

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
    {
      schema: {
        operationId: 'listToolPermissions',
        summary: 'List the tools that are always allowed',
        tags: ['Approvals'],
        response: { 200: ToolPermissionList },
      },
      onRequest: adminOnly,
    },
    async () => ({ permissions: await approvals.permissions() }),
  );

  app.delete(
    '/api/v1/tool-permissions/:tool',
    {
      schema: {
        operationId: 'deleteToolPermission',
        summary: 'Have a tool ask again',
        tags: ['Approvals'],
        description: 'A tool’s name in place of the id takes back all of that tool’s.',
        params: ToolParams,
        response: { 200: ToolPermissionAnswer },
      },
      onRequest: adminOnly,
    },
    async (request) => {
      const permission = await approvals.forget(request.params.tool);
      if (permission === null) throw new AppError('permission_not_found');
      return { permission };
    },
  );
}
