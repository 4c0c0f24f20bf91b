import { describe, expect, it } from 'vitest'
import { ApiError, LOCAL_CODES } from '../api.ts'
import { mustClose } from './read-or-close.ts'

const data = { name: 'Boiler' }
const refused = new ApiError(363, 'gone')
const lost = new ApiError(LOCAL_CODES.network, 'no connection')
const ended = new ApiError(2, 'session ended')

describe('a form whose object is read', () => {
  it('stays open while the connection is lost, or the password is asked for', () => {
    for (const error of [null, lost, new ApiError(LOCAL_CODES.timeout, 'slow'), ended])
      expect(mustClose({ data, error })).toBe(false)
  })
  it('closes if the object is gone, or was never there', () => {
    expect(mustClose({ data, error: refused })).toBe(true)
    expect(mustClose({ data: undefined, error: lost })).toBe(true)
    expect(mustClose({ data: undefined, error: null })).toBe(false)
  })
})
