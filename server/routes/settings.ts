import { SettingsAnswer, UpdateSettingsBody } from '../../shared/api/settings.ts';
import type { SettingsService } from '../settings/settings-service.ts';
import { absentBodyIsEmpty, adminOnly, type App } from '../plugins/route.ts';

/** Reading and changing what a person can set. */
export function setupSettingsRoutes(app: App, settings: SettingsService, settled: () => Promise<void>): void {
  app.get(
    '/api/v1/settings',
    {
      schema: {
        operationId: 'getSettings',
        summary: 'Read the settings',
        tags: ['Settings'],
        response: { 200: SettingsAnswer },
      },
      onRequest: adminOnly,
    },
    async () => {
      await settled();
      return { settings: settings.current() };
    },
  );

  app.patch(
    '/api/v1/settings',
    {
      schema: {
        operationId: 'updateSettings',
        summary: 'Change settings',
        tags: ['Settings'],
        description: 'What is absent stays as it is. All or nothing.',
        body: UpdateSettingsBody,
        response: { 200: SettingsAnswer },
      },
      onRequest: adminOnly,
      preValidation: absentBodyIsEmpty,
    },
    async (request) => ({ settings: await settings.update(request.body) }),
  );
}
