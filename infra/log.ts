import { type Logger, pino } from 'pino'
import { type LogStream, openLogStream } from './log-stream.ts'

export type Log = Logger

let standardError: LogStream | null = null

function toStandardError(): LogStream {
  if (standardError) return standardError
  const stream = openLogStream(2)
  process.on('exit', stream.flushSync)
  standardError = stream
  return stream
}

type Written = { message?: string; stack?: string; aggregateErrors?: Written[]; [field: string]: unknown }

/** An error and its causes, at most ten: they may form a circle. */
function chainOf(error: unknown): { params?: unknown; cause?: unknown }[] {
  const chain: { params?: unknown; cause?: unknown }[] = []
  for (let at = error; at instanceof Error && chain.length < 10; at = at.cause) chain.push(at)
  return chain
}

/**
 * An error as it is logged: without the values of the statement or command that failed, which contain password hashes,
 * the password of the Redis, configurations and addresses of people. Drizzle has them in its message, PostgreSQL in the
 * detail of a violated rule.
 */
export function serializeError(error: Error): Written {
  const written = pino.stdSerializers.err(error) as unknown as Written
  if (!(error instanceof Error)) return written
  const values = chainOf(error).flatMap(({ params }) => (params === undefined ? [] : [`\nparams: ${params}`]))
  const without = (text = '') => values.reduce((left, one) => left.replaceAll(one, ''), text)
  const { params: _, command: _command, detail, aggregateErrors, ...rest } = written
  return {
    ...rest,
    message: without(written.message),
    stack: without(written.stack),
    ...(detail === undefined || String(detail).startsWith('Failing row contains') ? {} : { detail }),
    ...(aggregateErrors === undefined
      ? {}
      : { aggregateErrors: (error as AggregateError).errors.map((one: Error) => serializeError(one)) }),
  }
}

/** One JSON line per event on stderr; secrets are redacted by path. */
export function openLog(room: string, level: string): Log {
  return pino(
    {
      level,
      base: { room },
      serializers: { err: serializeError },
      redact: {
        paths: [
          'password',
          '*.password',
          'token',
          '*.token',
          'secret',
          '*.secret',
          'req.headers.token',
          'req.headers.authorization',
        ],
        censor: '***',
      },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    toStandardError(),
  )
}
