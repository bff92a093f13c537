import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export type Answer = (req: IncomingMessage, res: ServerResponse) => void;

export interface ConnectionBounds {
  /** Requests of one connection that are not answered yet, the one being answered included. */
  unanswered?: number;
  /** Milliseconds that a client has for reading an answer, beyond the time that `readBytesPerSecond` gives it. */
  readGraceMs?: number;
  /** Bytes a second at which an answer must be read at least. */
  readBytesPerSecond?: number;
  /** Milliseconds between two looks at the answers being read. */
  sweepMs?: number;
  /** Whether an answer has no end of its own and is not bounded in time. */
  isStream?(res: ServerResponse): boolean;
  /** Called when a connection is closed because it exceeds a bound. */
  onClose?(reason: 'pipelining' | 'slow reader'): void;
  /** Called when the last request in flight is answered, or its connection is gone. */
  onIdle?(): void;
}

export interface BoundedConnections {
  /** Requests that were begun and not yet answered. */
  readonly inFlight: number;
  /** From now on each answer closes its connection, so that the client connects to another process. */
  drain(): void;
  /** @returns the answer to the last request of a connection, under way or over */
  lastAnswer(socket: Duplex): ServerResponse | null;
}

/** What Node does not count: a chunk of 64 KiB can hold more than a thousand requests. */
interface Connection {
  readonly socket: Socket;
  /** The answer being made or sent; null between two requests. */
  current: ServerResponse | null;
  last: ServerResponse | null;
  readonly waiting: { req: IncomingMessage; res: ServerResponse }[];
  /** Of the socket, when the current answer began. */
  bytesBefore: number;
  /** When the current answer was first seen on its way, on the clock of `performance.now()`. */
  since: number | null;
  readonly next: () => void;
}

const CONNECTION = Symbol('connection');
type Bounded = Socket & { [CONNECTION]?: Connection };
/** An undocumented part of Node's HTTP server, which sets `onIncoming` again for the next connection. */
type Parsed = Socket & { parser?: { onIncoming?: () => number } | null };
/** What llhttp takes for an upgrade: the bytes that follow are not HTTP. */
const STOP_PARSING = 2;

/** @returns null when this version of Node has no such parser */
function parserOf(socket: Parsed): Required<NonNullable<Parsed['parser']>> | null {
  const { parser } = socket;
  return typeof parser?.onIncoming === 'function' ? (parser as Required<typeof parser>) : null;
}

let isWarned = false;
function warnOnce(): void {
  if (isWarned) return;
  isWarned = true;
  process.emitWarning(
    `Node ${process.version} does not let its HTTP parser be stopped: clients that send many requests at once can ` +
      'make this process grow. Use the version of Node that npm ci installs.',
    { code: 'CALL_ANALYTICS_HTTP_PARSER' },
  );
}

/**
 * Serves the requests of `server` with `answer`, one at a time on each connection: the next begins when the system has
 * taken the whole answer before it, so a client that does not read holds one answer in memory, not all that it asked
 * for. A connection is closed when it has more than `unanswered` requests, or reads an answer too slowly.
 */
export function serveBounded(
  server: Server,
  answer: Answer,
  {
    unanswered = 16,
    readGraceMs = 30_000,
    readBytesPerSecond = 4 * 1024,
    sweepMs = 5_000,
    isStream = () => false,
    onClose = () => {},
    onIdle = () => {},
  }: ConnectionBounds = {},
): BoundedConnections {
  let inFlight = 0;
  let draining = false;
  const connections = new Set<Connection>();

  const connectionOf = (socket: Bounded): Connection => {
    const known = socket[CONNECTION];
    if (known !== undefined) return known;
    // Here, and not when a parser must be stopped: the operator reads of it with the first request.
    if (parserOf(socket) === null) warnOnce();
    const waiting: Connection['waiting'] = [];
    const connection: Connection = {
      socket,
      current: null,
      last: null,
      waiting,
      bytesBefore: 0,
      since: null,
      next() {
        inFlight -= 1;
        connection.current = null;
        const following = waiting.shift();
        if (following !== undefined && socket.writable) begin(connection, following.req, following.res);
        else waiting.length = 0;
        if (inFlight === 0) onIdle();
      },
    };
    socket[CONNECTION] = connection;
    connections.add(connection);
    socket.once('close', () => connections.delete(connection));
    return connection;
  };

  const serve: Answer = (req, res) => {
    const { socket } = req;
    // The parser hands out the rest of the chunk after the connection was closed elsewhere.
    if (socket.destroyed) return;
    const connection = connectionOf(socket);
    if (connection.current === null) begin(connection, req, res);
    else if (connection.waiting.length + 1 < unanswered) connection.waiting.push({ req, res });
    else {
      connection.waiting.length = 0;
      socket.destroy();
      // Otherwise the parser makes messages of the rest of the chunk, which are kept until the socket is closed.
      const parser = parserOf(socket);
      if (parser !== null) parser.onIncoming = () => STOP_PARSING;
      onClose('pipelining');
    }
  };

  const begin = (connection: Connection, req: IncomingMessage, res: ServerResponse) => {
    inFlight += 1;
    connection.current = res;
    connection.last = res;
    connection.bytesBefore = connection.socket.bytesWritten;
    connection.since = null;
    if (draining) res.shouldKeepAlive = false;
    // 'close' follows when the system has taken the last byte of the answer, or the connection is gone.
    res.on('close', connection.next);
    answer(req, res);
  };

  const closeSlowReaders = () => {
    const now = performance.now();
    for (const connection of connections) {
      const { current, socket, bytesBefore } = connection;
      if (current === null || !current.headersSent || isStream(current)) continue;
      connection.since ??= now;
      const allowedMs = readGraceMs + ((socket.bytesWritten - bytesBefore) / readBytesPerSecond) * 1_000;
      if (now - connection.since <= allowedMs) continue;
      socket.destroy();
      onClose('slow reader');
    }
  };

  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, serve);
  const timer = setInterval(closeSlowReaders, sweepMs).unref();
  server.once('close', () => clearInterval(timer));
  return {
    get inFlight() {
      return inFlight;
    },
    drain() {
      draining = true;
    },
    lastAnswer: (socket) => (socket as Bounded)[CONNECTION]?.last ?? null,
  };
}
