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

/** One JSON line per event on stderr; secrets are redacted by path. */
export function openLog(room: string, level: string): Log {
  return pino(
    {
      level,
      base: { room },
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
