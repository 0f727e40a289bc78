import { Type, type Static } from 'typebox';
import { MAX_AGENT_INSTRUCTIONS_CHARACTERS } from '../limits.ts';
import { withThousands } from '../numbers.ts';
import { described, Timestamp, WorkspaceId } from './common.ts';
import { Name } from './workspace.ts';

const Instructions = Type.String({
  maxLength: MAX_AGENT_INSTRUCTIONS_CHARACTERS,
  examples: ['All amounts are in euros.'],
  expected: `text of at most ${withThousands(MAX_AGENT_INSTRUCTIONS_CHARACTERS)} characters`,
});
const DefaultModel = Type.Union([Type.String({ minLength: 1, maxLength: 400 }), Type.Null()], {
  expected: 'a model that GET /api/v1/models names, or null',
});

export const Project = Type.Object(
  {
    id: Type.String({
      description: 'What it is told apart by in its workspace.',
      examples: ['c2b6f0de-51a7-4c0e-9f43-7d8e9a0b1c2d'],
    }),
    name: Type.String({ description: 'What people call it.', examples: ['Tax return'] }),
    instructions: described(
      Instructions,
      "What the models of its chats are told: after their agent's instructions and before those of the chat or the message, each as a paragraph of its own. Empty: nothing.",
    ),
    defaultModel: Type.Union([Type.String(), Type.Null()], {
      description:
        "The model of its new chats, unless their agent has one of its own; null, or a model that is gone: the workspace's. Chats that are there keep theirs.",
    }),
    position: Type.Integer({ description: 'Its place among the projects of the workspace, from 0.' }),
    createdAt: Timestamp,
  },
  { description: 'A group of chats of a workspace, with instructions and a default model of its own.' },
);
export type Project = Static<typeof Project>;

/** Body of `POST /api/v1/projects`. */
export const CreateProjectBody = Type.Object({
  name: Name,
  instructions: Type.Optional(described(Instructions, 'Empty unless given.')),
  defaultModel: Type.Optional(described(DefaultModel, "Null, as when absent: the workspace's.")),
  workspaceId: Type.Optional(WorkspaceId),
});
export type CreateProjectBody = Static<typeof CreateProjectBody>;

/** Body of `PATCH /api/v1/projects/:projectId`. What is absent stays. */
export const UpdateProjectBody = Type.Partial(
  Type.Object({
    name: Name,
    instructions: Instructions,
    defaultModel: DefaultModel,
    position: Type.Integer({
      minimum: 0,
      description: 'Where it is put, from 0; the others make room. Past the end: last.',
      expected: 'a whole number from 0',
    }),
    workspaceId: WorkspaceId,
  }),
);
export type UpdateProjectBody = Static<typeof UpdateProjectBody>;

/** Query of `DELETE /api/v1/projects/:projectId`. */
export const DeleteProjectQuery = Type.Object({
  chats: Type.Optional(
    Type.Enum(['keep', 'delete'], {
      description:
        'What becomes of its chats. `keep`, unless given: they are in no project from then on. `delete`: they are deleted with it.',
      expected: '"keep" or "delete"',
    }),
  ),
  workspaceId: Type.Optional(WorkspaceId),
});

/** Answer of every endpoint about one project but the one that deletes it. */
export const ProjectAnswer = Type.Object({ project: Project });
export type ProjectAnswer = Static<typeof ProjectAnswer>;

/** Answer of `DELETE /api/v1/projects/:projectId`. */
export const DeletedProjectAnswer = Type.Object({
  project: described(Project, 'The project, for the last time.'),
  deletedChats: Type.Integer({ description: 'How many chats were deleted with it; 0 unless asked for.' }),
});
export type DeletedProjectAnswer = Static<typeof DeletedProjectAnswer>;

/** Answer of `GET /api/v1/projects`. */
export const ProjectList = Type.Object({
  projects: Type.Array(Project, { description: 'In their order.' }),
});
export type ProjectList = Static<typeof ProjectList>;
