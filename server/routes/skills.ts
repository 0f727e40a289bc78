import { AddFolderBody } from '../../shared/api/folder.ts';
import {
  SkillAnswer,
  SkillFolderAnswer,
  SkillList,
  SkillText,
  UpdateSkillBody,
} from '../../shared/api/skill.ts';
import { found } from '../errors.ts';
import type { SkillService } from '../tools/files/skill-service.ts';
import { createEndpoints, type App } from '../plugins/endpoints.ts';

/** Endpoints about skills. */
export function setupSkillRoutes(app: App, skills: SkillService): void {
  const api = createEndpoints(app, 'Skills', { access: 'admin' });
  api.get('/api/v1/skills', 'listSkills', 'List skills', {
    description:
      'Those in the data folder and in the folders added, with what is wrong with those that can’t be used.',
    response: { 200: SkillList },
    handle: () => skills.list(),
  });

  api.get('/api/v1/skills/:skillId', 'getSkill', 'Read a skill', {
    response: { 200: SkillText },
    handle: async ({ params }) => found(await skills.read(params.skillId), 'skill_not_found'),
  });

  api.patch('/api/v1/skills/:skillId', 'updateSkill', 'Turn a skill on or off', {
    description:
      'Or change which agents have it. A skill that can’t be used, that changed since it was read, or whose name another one has that is on, is a 409.',
    errors: ['conflict'],
    body: UpdateSkillBody,
    response: { 200: SkillAnswer },
    result: ({ params, body }) => skills.update(params.skillId, body),
  });

  api.post('/api/v1/skill-folders', 'addSkillFolder', 'Add a folder with skills', {
    errors: ['conflict'],
    body: AddFolderBody,
    response: { 201: SkillFolderAnswer },
    result: ({ body }) => skills.addFolder(body),
  });

  api.delete('/api/v1/skill-folders/:folderId', 'removeSkillFolder', 'Remove a folder with skills', {
    description: 'Its skills are turned off. The folder itself is left alone.',
    response: { 200: SkillFolderAnswer },
    result: ({ params }) => skills.removeFolder(params.folderId),
  });
}
