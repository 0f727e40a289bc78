/** Checks a file's other content for the store: only rows that are valid are kept. */
import { UpdateAgentBody } from '../../shared/api/agent.ts';
import { AgentType, Timestamp } from '../../shared/api/common.ts';
import { Note } from '../../shared/api/note.ts';
import { Project } from '../../shared/api/project.ts';
import { Prompt } from '../../shared/api/prompt.ts';
import { KeptSchedule } from '../../shared/api/schedule.ts';
import { cleanName, storableText } from '../lib/clean-name.ts';
import type { StoredAgent } from '../store/agent-repository.ts';
import type { BackupPrompt } from './backup-lines.ts';
import { IN_FILE, type Findings } from './findings.ts';
import { isId, repairFields } from './repair-fields.ts';
import { isObject, isTime, type Fields } from '../lib/fields.ts';

interface Rows {
  agent: StoredAgent;
  note: Note;
  project: Project;
  prompt: BackupPrompt;
  schedule: KeptSchedule;
}

const { id, name, text, createdAt, updatedAt } = Prompt.properties;

/** As in the API: lengths count in characters, not UTF-16 units. */
const KINDS = {
  agent: {
    words: 'An agent',
    fields: {
      ...UpdateAgentBody.properties,
      agentType: AgentType,
      createdAt: Timestamp,
      updatedAt: Timestamp,
    },
  },
  note: { words: 'A note', fields: Note.properties },
  project: { words: 'A project', fields: Project.properties },
  prompt: { words: 'A prompt', fields: { id, name, text, createdAt, updatedAt } },
  schedule: { words: 'A schedule', fields: KeptSchedule.properties },
};

/** The valid rows of a list; the others are noted. Anything but a list counts as one damaged row. */
export function repairRows<Kind extends keyof Rows>(
  kind: Kind,
  value: unknown = [],
  findings: Findings,
): Rows[Kind][] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.flatMap((each) => {
    const row = repairRow(kind, isObject(each) ? each : {});
    if (row === null) findings.leaveOut(IN_FILE, `${KINDS[kind].words} is left out because it is damaged.`);
    return row === null ? [] : [row as unknown as Rows[Kind]];
  });
}

function repairRow(kind: keyof Rows, row: Fields): Fields | null {
  const { fields } = KINDS[kind];
  const given = { ...row };
  // Backups of earlier versions have no parameters.
  if (kind === 'agent') given['parameters'] ??= {};
  if (kind !== 'prompt' && typeof row['name'] === 'string') given['name'] = cleanName(row['name']);
  const repaired = repairFields(fields, given, []);
  const isWhole =
    Object.keys(repaired).length === Object.keys(fields).length &&
    [repaired['id'] ?? 'none'].every(isId) &&
    [repaired['createdAt'], repaired['updatedAt'] ?? repaired['createdAt']].every(isTime);
  if (!isWhole) return null;
  return Object.fromEntries(
    Object.entries(repaired).map(([field, value]) => [
      field,
      typeof value === 'string' ? storableText(value) : value,
    ]),
  );
}
