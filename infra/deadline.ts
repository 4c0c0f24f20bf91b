/** A wait with an end: what has not answered by then is a failure with a name [decision 063]. */

/** `code` is what the API's error handler takes for a database that is away. */
export class Overdue extends Error {
  readonly code = 'CONNECTION_OVERDUE'
}

/** `work` goes on, unheard: it must do no harm late. @throws Overdue */
export async function withinTime<T>(what: string, ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Overdue(`${what}: no answer for ${ms / 1000} s`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
