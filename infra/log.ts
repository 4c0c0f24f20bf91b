import { type Logger, pino } from 'pino'

export type Log = Logger

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
    pino.destination({ fd: 2, sync: false }),
  )
}
