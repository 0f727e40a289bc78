import { Project } from '../../shared/api/project.ts';
import { MAX_PROJECTS } from '../../shared/limits.ts';
import { cleanName, storableText } from '../lib/clean-name.ts';
import { createProject, hasProject, listProjects } from '../store/project-repository.ts';
import type { Store } from '../store/types.ts';
import { IN_FILE, type Findings } from './findings.ts';
import { isId, isObject, isTime, soundFields } from './mend-fields.ts';

/** A project of an export or a backup; null, and noted, when it isn't as it was written: its chats come in without. */
export function checkProject(value: unknown, findings: Findings): Project | null {
  const fields = isObject(value) ? value : {};
  const name = typeof fields['name'] === 'string' ? cleanName(fields['name']) : null;
  const sound = soundFields(Project.properties, { ...fields, name }, []) as Partial<Project>;
  const isWhole = Object.keys(sound).length === Object.keys(Project.properties).length;
  if (!isWhole || !isId(sound.id) || !isTime(sound.createdAt)) {
    findings.leaveOut(IN_FILE, 'A project is left out because it is damaged.');
    return null;
  }
  const { instructions, defaultModel, ...project } = sound as Project;
  return {
    ...project,
    instructions: storableText(instructions),
    defaultModel: defaultModel && storableText(defaultModel),
  };
}

/** Adds the projects that a workspace lacks, behind those it has, as far as there is room. */
export async function addProjects(
  store: Store,
  workspaceId: string,
  projects: readonly Project[],
): Promise<void> {
  if (projects.length === 0) return;
  await store.write((writer) => {
    const known = listProjects(writer, workspaceId);
    let room = MAX_PROJECTS - known.length;
    let position = (known.at(-1)?.position ?? -1) + 1;
    for (const project of projects) {
      if (room === 0 || hasProject(writer, workspaceId, project.id)) continue;
      createProject(writer, { ...project, workspaceId, position });
      room -= 1;
      position += 1;
    }
  });
}
