/**
 * COPY into a table. On a connection of `pg`: in postgres.js 3.4.9 a COPY that the server refuses after its last byte
 * never settles.
 */
import pg from 'pg'
import { poolTarget } from './settings/database-url.ts'
import { openWire } from './wire.ts'

export type CopyIn = {
  /**
   * Sends one `copy … from stdin` with all its data; resolves once it is committed. Rejects with the server's error, whose
   * `code` says what kind it is, or that of the connection; nothing was stored then, unless the connection broke.
   */
  copy(statement: string, data: Buffer): Promise<void>
  close(): Promise<void>
}

/** What a connection of `pg` provides to a custom query object. */
type Connection = pg.Connection & {
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

/** Statement, data and end leave together: the server ignores what follows a statement that it refuses. */
const copyQuery = (statement: string, data: Buffer, done: () => void, failed: (error: Error) => void) => ({
  submit: (connection: Connection) => {
    connection.stream.cork()
    connection.query(statement)
    connection.sendCopyFromChunk(data)
    connection.endCopyFrom()
    connection.stream.uncork()
  },
  handleCopyInResponse: () => undefined,
  handleCommandComplete: () => undefined,
  handleReadyForQuery: done,
  handleError: failed,
})

/**
 * At most `max` connections, opened when they are needed. `answerMs` is the server's time limit for a statement; a
 * connection that is silent for a quarter longer is given up.
 */
export function openCopyIn(
  databaseUrl: string,
  options: { max: number; applicationName: string; answerMs: number },
): CopyIn {
  const { max, applicationName, answerMs } = options
  const pool = new pg.Pool({
    ...poolTarget(databaseUrl),
    max,
    application_name: applicationName,
    statement_timeout: answerMs,
    connectionTimeoutMillis: answerMs,
    idleTimeoutMillis: answerMs,
    keepAlive: true,
    stream: () => openWire({ ms: answerMs * 1.25, ends: 'unanswered' }),
  })
  // A connection that breaks rejects the copy on it; one that is idle is replaced.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return {
    copy: async (statement, data) => {
      const client = await pool.connect()
      try {
        await new Promise<void>((done, failed) => {
          client.query(copyQuery(statement, data, done, failed) as unknown as pg.Submittable)
        })
      } catch (error) {
        client.release(true)
        throw error
      }
      client.release()
    },
    close: () => pool.end(),
  }
}
