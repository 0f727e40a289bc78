import { SettingsAnswer, UpdateSettingsBody } from '../../shared/api/settings.ts';
import type { SettingsService } from '../store/settings-service.ts';
import { createEndpoints, type App } from '../plugins/endpoints.ts';

/** Reading and changing what a person can set. */
export function setupSettingsRoutes(app: App, settings: SettingsService, settled: () => Promise<void>): void {
  const api = createEndpoints(app, 'Settings', { access: 'admin' });
  api.get('/api/v1/settings', 'getSettings', 'Read the settings', {
    response: { 200: SettingsAnswer },
    handle: async () => {
      await settled();
      return { settings: settings.current() };
    },
  });

  api.patch('/api/v1/settings', 'updateSettings', 'Change settings', {
    description: 'Absent fields stay as they are. Either all changes are made or none.',
    body: UpdateSettingsBody,
    response: { 200: SettingsAnswer },
    result: async ({ body }) => {
      const { certificateFile } = body;
      if (certificateFile) await (await import('../net/trust.ts')).checkCertificateFile(certificateFile);
      return settings.update(body);
    },
  });
}
