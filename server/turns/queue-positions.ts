/** The order in which chats are served. Positions are exact and cost a binary search, however many wait. */
export interface QueuePositions {
  /** Takes a ticket at the end of the queue. */
  join(): number;
  /** The ticket's turn has come. Tickets must come up in the order they were taken, those that left included. */
  comeUp(ticket: number): void;
  /** Gives a position up; those behind move on. The ticket still comes up later. */
  leave(ticket: number): void;
  /** 1 for the next to be served, and so on. Only for tickets that neither came up nor left. */
  position(ticket: number): number;
  /** How many wait. */
  readonly length: number;
}

/** An empty queue. */
export function createQueuePositions(): QueuePositions {
  let head = 0;
  let next = 0;
  /** Tickets that left and haven't come up, in order. */
  const gone: number[] = [];

  const goneBefore = (ticket: number): number => {
    let low = 0;
    let high = gone.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((gone[middle] ?? Infinity) < ticket) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  return {
    join: () => next++,
    comeUp(ticket) {
      head = ticket + 1;
      gone.splice(0, goneBefore(head));
    },
    leave(ticket) {
      gone.splice(goneBefore(ticket), 0, ticket);
    },
    position: (ticket) => ticket - head - goneBefore(ticket) + 1,
    get length() {
      return next - head - gone.length;
    },
  };
}
