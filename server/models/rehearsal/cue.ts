/** Where in a chat a rehearsal stands. Plain data: it crosses to the agents' thread with the turn. */
export interface RehearsalCue {
  /** Text of the chat's first user message, which may hold the script. */
  opening: string;
  /** How many user messages stand before the one to answer. */
  turn: number;
}
