/** Longest message, in characters (Unicode code points). */
export const MAX_CONTENT_CHARACTERS = 100_000;

/** Longest reply, in UTF-16 code units; one that would be longer is cut there, with the stop reason `length`. */
export const MAX_REPLY_CHARACTERS = 2_000_000;

/** Longest reasoning stored with a reply, in UTF-16 code units; the rest is left out. */
export const MAX_REASONING_CHARACTERS = 100_000;

/** Most tool calls in one reply; a reply with more is ended, with the stop reason `step_limit`. */
export const MAX_REPLY_STEPS = 1_000;

/** Largest request body, in bytes. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** Longest title derived from a message, in characters. */
export const MAX_TITLE_CHARACTERS = 60;

/** Longest title that a person may give, in characters. */
export const MAX_PERSON_TITLE_CHARACTERS = 200;

/** How long a deleted chat or message can be restored, in days; then it is removed for good. */
export const RESTORE_WINDOW_DAYS = 30;

/** Longest name of a workspace, project or key, in characters. */
export const MAX_NAME_CHARACTERS = 80;

/** How many workspaces there can be. */
export const MAX_WORKSPACES = 100;

/** How many projects one workspace can have. */
export const MAX_PROJECTS = 500;

/** How many connections to model servers there can be. */
export const MAX_CONNECTIONS = 50;

/** How many headers one connection may have. */
export const MAX_CONNECTION_HEADERS = 20;

/** How many models of one connection are kept; the first ones as its server lists them. */
export const MAX_LISTED_MODELS = 1_000;

/** Longest search query, in characters. */
export const MAX_QUERY_CHARACTERS = 500;

/** How many messages a search returns by default. */
export const DEFAULT_SEARCH_LIMIT = 30;

/** Most messages that a search returns. */
export const MAX_SEARCH_LIMIT = 100;

/** Largest export of Parley that is imported at once, in bytes: it is read in memory. A larger one is imported in parts. */
export const MAX_IMPORT_BYTES = 512 * 1024 * 1024;

/**
 * How much of an export messages' files may take, in characters of Base64, so that it can be imported; a backup holds
 * all files.
 */
export const MAX_EXPORTED_FILES_CHARACTERS = 192 * 1024 * 1024;

/** Largest export of another app that is imported, in bytes, pictures in an archive included. */
export const MAX_ARCHIVE_BYTES = 2 * 1024 ** 3;

/** Longest note, in characters. */
export const MAX_NOTE_CHARACTERS = 4_000;

/** How many prompts a workspace keeps. */
export const MAX_PROMPTS = 500;

/** Longest name of a prompt, in characters; its text may be as long as a message. */
export const MAX_PROMPT_NAME_CHARACTERS = 80;

/** How many schedules a workspace keeps, those that are over included. */
export const MAX_SCHEDULES = 2_000;

/** Longest text that says when a schedule sends, in characters. */
export const MAX_WHEN_CHARACTERS = 100;

/** How many of its latest runs a schedule keeps. */
export const MAX_SCHEDULE_RUNS = 50;

/** How many of the latest requests the service remembers, in memory. */
export const MAX_RECENT_REQUESTS = 300;

/** How many problems of an imported file or a backup are listed. */
export const MAX_FILE_PROBLEMS = 100;

/** How many tool servers (MCP) there can be. */
export const MAX_MCP_SERVERS = 20;

/** How many tools of one tool server are kept; the first ones as it lists them. */
export const MAX_MCP_TOOLS = 500;

/** How many files of a tool's result are stored with its step; the first ones. */
export const MAX_STEP_FILES = 16;

/** Largest file of a tool's result that is stored, in bytes. */
export const MAX_STEP_FILE_BYTES = 5 * 1024 * 1024;

/** Largest file of a message, in bytes. */
export const MAX_ATTACHMENT_BYTES = 20 * 1024 * 1024;

/**
 * Largest body of a request that sends a message, in bytes: beyond {@link MAX_BODY_BYTES}, the rest must be files in
 * Base64.
 */
export const MAX_SEND_BYTES = MAX_BODY_BYTES + Math.ceil((MAX_ATTACHMENT_BYTES * 4) / 3);

/** How many files one message may have. */
export const MAX_MESSAGE_ATTACHMENTS = 10;

/** How much of a file's text is read, in characters. */
export const MAX_FILE_TEXT_CHARACTERS = 400_000;

/** How long an uploaded file that no message has is kept, in milliseconds. */
export const UPLOAD_WINDOW_MS = 24 * 60 * 60 * 1000;

/** Longest name of a file, in characters. */
export const MAX_FILE_NAME_CHARACTERS = 200;

/** How many arguments the program of a tool server may get. */
export const MAX_MCP_ARGS = 100;

/** How many environment variables or headers a tool server may have. */
export const MAX_MCP_SECRETS = 50;

/** Chats per page of a list by default. */
export const DEFAULT_PAGE_SIZE = 20;

/** Most chats per page of a list. */
export const MAX_PAGE_SIZE = 100;

/** User messages that may wait for a worker in one workspace; one more is refused with `queue_full`. */
export const MAX_WAITING_MESSAGES = 1_000;

/** How long a response may wait for a chat, in seconds. */
export const MAX_WAIT_SECONDS = 60;

/** How long a person has to answer a tool that asks first, in milliseconds; no answer counts as a no. */
export const APPROVAL_WINDOW_MS = 60 * 60 * 1000;

/** How long a repeated `Idempotency-Key` returns the first answer, in milliseconds. */
export const IDEMPOTENCY_WINDOW_MS = 24 * 60 * 60 * 1000;

/** How many agents people can make. */
export const MAX_AGENTS = 100;

/** Longest description of an agent, in characters. */
export const MAX_AGENT_DESCRIPTION_CHARACTERS = 200;

/** Longest instructions of an agent, in characters. */
export const MAX_AGENT_INSTRUCTIONS_CHARACTERS = 20_000;

/** How many tools an agent's list may name. */
export const MAX_AGENT_TOOLS = 200;

/** Most model rounds that one reply of an agent may take. */
export const MAX_AGENT_STEPS = 50;

/** Model rounds that one reply of an agent may take by default. */
export const DEFAULT_AGENT_STEPS = 12;

/** What an `agentType` looks like. */
export const AGENT_TYPE_PATTERN = '^[A-Za-z0-9_-]{1,64}$';

/** The `agentType` of a chat that named none. */
export const DEFAULT_AGENT_TYPE = 'orchestrator';

/** Title of a chat before its first message. */
export const NEW_CHAT_TITLE = 'New chat';

/** How many folders people can allow tools to work in. */
export const MAX_FOLDERS = 50;

/** Skills that can be on. Their names and descriptions are part of every request to a model. */
export const MAX_SKILLS_ON = 50;

/** Longest path of a folder, in UTF-16 code units. */
export const MAX_PATH_CHARACTERS = 4_096;

/** Longest address of a picture or page, in characters. */
export const MAX_ADDRESS_CHARACTERS = 2_000;

/** The longest time between two signs of life in an event stream, in milliseconds. */
export const STREAM_HEARTBEAT_MS = 10_000;

/** After how much silence a client considers an event stream dead, in milliseconds. */
export const STREAM_SILENCE_MS = 25_000;
