/** The part of the API about projects. */
import type {
  CreateProjectBody,
  DeletedProjectAnswer,
  Project,
  UpdateProjectBody,
} from '../../shared/api/project.ts';
import type { Ask } from './http.ts';

/** Projects of the workspace. */
export type ProjectApi = ReturnType<typeof projectApi>;

const projectOf = (answer: Promise<{ project: Project }>): Promise<Project> =>
  answer.then(({ project }) => project);
const ofProject = (projectId: string) => ({ params: { path: { projectId } } });

/** The part of a client that {@link ProjectApi} is. */
export const projectApi = (ask: Ask) => ({
  /** In their order. */
  listProjects: (): Promise<Project[]> =>
    ask((api) => api.GET('/api/v1/projects')).then(({ projects }) => projects),
  createProject: (body: CreateProjectBody): Promise<Project> =>
    projectOf(ask((api) => api.POST('/api/v1/projects', { body }))),
  updateProject: (projectId: string, body: UpdateProjectBody): Promise<Project> =>
    projectOf(ask((api) => api.PATCH('/api/v1/projects/{projectId}', { ...ofProject(projectId), body }))),
  /** Whether its chats stay, or are deleted as well: then it may take a while. */
  deleteProject: (projectId: string, chats: 'keep' | 'delete'): Promise<DeletedProjectAnswer> => {
    const params = { path: { projectId }, query: { chats } };
    return ask((api) => api.DELETE('/api/v1/projects/{projectId}', { params }));
  },
});
