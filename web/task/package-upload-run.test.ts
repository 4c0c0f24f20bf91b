import { describe, expect, it } from 'vitest'
import { progressOf } from './package-upload-run.ts'

describe('the progress of an upload', () => {
  it('says neither speed nor time left before there is something to measure', () => {
    expect(progressOf([{ atMs: 0, sentBytes: 0 }], 1000)).toEqual({ share: 0, bytesPerS: null, leftS: null })
  })

  it('takes the speed over the samples it is given, and what is left from it', () => {
    const samples = [
      { atMs: 1000, sentBytes: 2_000 },
      { atMs: 3000, sentBytes: 6_000 },
    ]
    expect(progressOf(samples, 10_000)).toEqual({ share: 0.6, bytesPerS: 2000, leftS: 2 })
  })

  it('of a stalled upload knows no end', () => {
    const samples = [
      { atMs: 0, sentBytes: 500 },
      { atMs: 4000, sentBytes: 500 },
    ]
    expect(progressOf(samples, 1000)).toEqual({ share: 0.5, bytesPerS: 0, leftS: null })
  })
})
