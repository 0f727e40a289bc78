import { Type, type Static } from 'typebox';
import { MAX_AGENT_INSTRUCTIONS_CHARACTERS } from '../limits.ts';
import {
  choice,
  described,
  list,
  object,
  orNull,
  partial,
  text,
  Timestamp,
  whole,
  WorkspaceId,
} from './common.ts';
import { Name } from './workspace.ts';

const Instructions = Type.String({
  maxLength: MAX_AGENT_INSTRUCTIONS_CHARACTERS,
  examples: ['All amounts are in euros.'],
});

export const Project = object(
  'A group of chats of a workspace, with its own instructions and default model.',
  {
    id: text('Unique id in the workspace.', 'c2b6f0de-51a7-4c0e-9f43-7d8e9a0b1c2d'),
    name: text('Its display name.', 'Tax return'),
    instructions: described(
      Instructions,
      "Instructions for the models of its chats. They come after the agent's instructions and before those of the chat or message, each as a separate paragraph. Empty: none.",
    ),
    defaultModel: orNull(
      Type.String(),
      "The model of its new chats, unless their agent has its own. Null, or a model that no longer exists: the workspace's. Existing chats keep their model.",
    ),
    position: whole('Its position among the projects of the workspace, from 0.'),
    createdAt: Timestamp,
  },
);
export type Project = Static<typeof Project>;

/** Body of `PATCH /api/v1/projects/:projectId`. Absent fields stay as they are. */
export const UpdateProjectBody = partial({
  name: Name,
  instructions: described(Instructions, 'Instructions for the models of its chats. New projects: empty.'),
  defaultModel: orNull(Type.String({ minLength: 1, maxLength: 400 }), {
    description: "The model of its new chats. Null: the workspace's, as for new projects.",
    expected: 'a model that GET /api/v1/models names, or null',
  }),
  position: whole('Its new position, from 0; the others move. Past the end means last.', { minimum: 0 }),
  workspaceId: WorkspaceId,
});
export type UpdateProjectBody = Static<typeof UpdateProjectBody>;

/** Body of `POST /api/v1/projects`. */
export const CreateProjectBody = Type.Object({
  ...Type.Omit(UpdateProjectBody, ['position']).properties,
  name: Name,
});
export type CreateProjectBody = Static<typeof CreateProjectBody>;

/** Query of `DELETE /api/v1/projects/:projectId`. */
export const DeleteProjectQuery = partial({
  chats: choice(
    ['keep', 'delete'],
    'What to do with its chats. `keep` (default): they stay, in no project. `delete`: they are deleted too.',
  ),
  workspaceId: WorkspaceId,
});

/** Answer of every endpoint for one project, except the one that deletes it. */
export const ProjectAnswer = Type.Object({ project: Project });
export type ProjectAnswer = Static<typeof ProjectAnswer>;

/** Answer of `DELETE /api/v1/projects/:projectId`. */
export const DeletedProjectAnswer = Type.Object({
  project: described(Project, 'The deleted project.'),
  deletedChats: whole('How many chats were deleted with it.'),
});
export type DeletedProjectAnswer = Static<typeof DeletedProjectAnswer>;

/** Answer of `GET /api/v1/projects`. */
export const ProjectList = Type.Object({
  projects: list(Project, 'In display order.'),
});
export type ProjectList = Static<typeof ProjectList>;
