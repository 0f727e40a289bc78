/** Puts the HTTP side together: no listening, no environment, no globals. */
import { randomBytes } from 'node:crypto';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify from 'fastify';
import type { Storage } from '../shared/api/storage.ts';
import { MAX_BODY_BYTES } from '../shared/limits.ts';
import { requestIdOf } from './auth/caller.ts';
import type { Management } from './chats/management.ts';
import { setupBodyParser } from './plugins/body-parser.ts';
import { sendError, setupErrorHandler } from './plugins/error-handler.ts';
import { setupHeadRoutes } from './plugins/head-routes.ts';
import { createGuard } from './plugins/guard.ts';
import { answerMalformed, createGuardedServer } from './plugins/http-server.ts';
import { setupLargeBodies } from './plugins/large-bodies.ts';
import { setupPackedBodies } from './plugins/packed-bodies.ts';
import { setupLazySchemas } from './plugins/lazy-schemas.ts';
import { rememberRoutes } from './plugins/known-routes.ts';
import { createRequestLog, type RequestLog } from './plugins/request-log.ts';
import { setupAgentRoutes } from './routes/agents.ts';
import { setupApprovalRoutes, type ApprovalRouteDeps } from './routes/approvals.ts';
import { setupCatalogRoutes } from './routes/catalog.ts';
import { setupChatChangeRoutes } from './routes/chat-changes.ts';
import { setupChatRoutes } from './routes/chats.ts';
import { setupConnectionRoutes } from './routes/connections.ts';
import { setupContextRoutes } from './routes/context.ts';
import { setupDataRoutes, type DataRouteDeps } from './routes/data.ts';
import { setupDraftRoutes } from './routes/drafts.ts';
import { setupEventRoutes, type EventRouteDeps } from './routes/events.ts';
import { setupFileRoutes } from './routes/files.ts';
import { setupFolderRoutes } from './routes/folders.ts';
import { setupSkillRoutes } from './routes/skills.ts';
import { setupHealthRoute, type HealthRouteDeps } from './routes/health.ts';
import { setupKeyRoutes, type KeyRouteDeps } from './routes/keys.ts';
import { setupMcpServerRoutes } from './routes/mcp-servers.ts';
import { setupMcpRoute, type McpRouteDeps } from './routes/mcp/mcp-route.ts';
import { setupMessageRoutes } from './routes/messages.ts';
import { setupNoteRoutes } from './routes/notes.ts';
import { setupPictureRoutes } from './routes/pictures.ts';
import { setupProjectRoutes } from './routes/projects.ts';
import { setupPromptRoutes } from './routes/prompts.ts';
import type { OpenAiDeps } from './routes/openai/deps.ts';
import { setupChatCompletionRoute } from './routes/openai/chat-completions.ts';
import { setupOpenAiModelRoutes } from './routes/openai/models.ts';
import { setupResponseRoutes } from './routes/openai/responses.ts';
import { setupStoredResponseRoutes } from './routes/openai/stored-responses.ts';
import { setupOpenApiRoute } from './routes/openapi/routes.ts';
import { setupPageRoute, type PageDeps } from './routes/page.ts';
import type { App } from './plugins/endpoints.ts';
import { setupScheduleRoutes } from './routes/schedules.ts';
import { setupSearchRoutes } from './routes/search.ts';
import { setupServiceRoutes } from './routes/service.ts';
import { setupSessionRoutes, type SessionRouteDeps } from './routes/session.ts';
import { setupSettingsRoutes } from './routes/settings.ts';
import { setupVersionRoutes } from './routes/versions.ts';
import { setupWaitingMessageRoutes } from './routes/waiting-messages.ts';
import { setupWorkspaceRoutes } from './routes/workspaces.ts';

/** Longer than any path that fits into a request line, so that an odd id is just not found. */
const MAX_PARAM_LENGTH = 64 * 1024;

/** What a group of routes works with. */
type DepsOf<Setup extends (app: App, deps: never, ...more: never[]) => void> = Parameters<Setup>[1];

/** Dependencies of the HTTP side: those of each group of routes, and those below. */
export type AppDeps = ApprovalRouteDeps &
  DataRouteDeps &
  EventRouteDeps &
  HealthRouteDeps &
  KeyRouteDeps &
  McpRouteDeps &
  Omit<Management, 'purge'> &
  OpenAiDeps &
  PageDeps &
  SessionRouteDeps & {
    /** Whether a workspace with this id exists. */
    hasWorkspace: (id: string) => boolean;
    schedules: DepsOf<typeof setupScheduleRoutes>;
    connections: DepsOf<typeof setupConnectionRoutes>;
    mcpServers: DepsOf<typeof setupMcpServerRoutes>;
    contexts: DepsOf<typeof setupContextRoutes>;
    folders: DepsOf<typeof setupFolderRoutes>;
    skills: DepsOf<typeof setupSkillRoutes>;
    settings: DepsOf<typeof setupSettingsRoutes>;
    /** How to fetch from other servers. */
    web: DepsOf<typeof setupPictureRoutes>;
    /** How full the store is. */
    usage: () => Storage;
    /** Records requests. Default: a new log. */
    requests?: RequestLog;
  };

/** The app, ready to listen. Once `close` is called, it refuses new requests. */
export function buildApp(deps: AppDeps): App {
  const { onError } = deps;
  // A random prefix for the process and a count: cheap, and unique enough to find one in a log.
  const idPrefix = `req-${randomBytes(5).toString('hex')}-`;
  let idCount = 0;
  const newRequestId = (): string => `${idPrefix}${(idCount += 1).toString(36)}`;
  const { requests = createRequestLog() } = deps;
  const allowedOrigins = (): readonly string[] => deps.settings.current().allowedOrigins;
  const guard = createGuard({ authenticator: deps.authenticator, allowedOrigins, newRequestId, onError });
  const app = fastify({
    bodyLimit: MAX_BODY_BYTES,
    genReqId: (request) => requestIdOf(request) ?? newRequestId(),
    // While closing, the guard refuses requests with the usual error body.
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, ignoreTrailingSlash: true },
    frameworkErrors: (error, request, reply) => {
      sendError(error, request, reply, onError);
    },
    clientErrorHandler: (error, socket) => answerMalformed(error, socket, newRequestId, requests),
    serverFactory: (handler) => createGuardedServer(guard, handler, newRequestId, requests),
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.decorate('hasWorkspace', deps.hasWorkspace);
  // Before the server waits for its connections to close.
  app.addHook('preClose', (done) => {
    guard.close();
    for (const each of [deps.waits, deps.streams, deps.statelessTurns]) each.close();
    done();
  });
  setupBodyParser(app);
  setupLargeBodies(app);
  setupPackedBodies(app);
  const routes = rememberRoutes(app);
  setupErrorHandler(app, routes, onError);
  setupLazySchemas(app);
  setupHeadRoutes(app);
  setupHealthRoute(app, deps);
  setupChatRoutes(app, deps);
  setupMessageRoutes(app, deps);
  setupApprovalRoutes(app, deps);
  setupEventRoutes(app, deps);
  setupContextRoutes(app, deps.contexts);
  setupDataRoutes(app, deps);
  setupFileRoutes(app, deps.files);
  setupPictureRoutes(app, deps.web);
  setupVersionRoutes(app, deps);
  setupWaitingMessageRoutes(app, deps);
  setupSessionRoutes(app, deps);
  setupWorkspaceRoutes(app, deps.workspaces);
  setupChatChangeRoutes(app, deps.chatChanges);
  setupDraftRoutes(app, deps.drafts);
  setupNoteRoutes(app, deps.notes);
  setupProjectRoutes(app, deps.projects);
  setupPromptRoutes(app, deps.prompts);
  setupScheduleRoutes(app, deps.schedules);
  setupAgentRoutes(app, deps.agents);
  setupCatalogRoutes(app, deps.connections);
  setupConnectionRoutes(app, deps.connections);
  setupFolderRoutes(app, deps.folders);
  setupSkillRoutes(app, deps.skills);
  setupMcpServerRoutes(app, deps.mcpServers);
  setupMcpRoute(app, deps);
  setupKeyRoutes(app, deps);
  setupSettingsRoutes(app, deps.settings, deps.settled);
  setupServiceRoutes(app, requests, deps.usage);
  setupSearchRoutes(app, deps.search);
  setupOpenAiModelRoutes(app, deps);
  setupChatCompletionRoute(app, deps);
  setupResponseRoutes(app, deps);
  setupStoredResponseRoutes(app, deps);
  setupOpenApiRoute(app, { version: deps.version, routes });
  setupPageRoute(app, deps, () => deps.settings.current());
  return app;
}
