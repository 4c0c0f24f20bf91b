import { describe, expect, it } from 'vitest'
import { progressOf } from './archive-upload-run.ts'

describe('the progress of an upload', () => {
  it('has neither speed nor time left before anything is measured', () => {
    expect(progressOf([{ atMs: 0, sentBytes: 0 }], 1000)).toEqual({ share: 0, bytesPerS: null, leftS: null })
  })

  it('computes the speed from the samples, and the time left from the speed', () => {
    const samples = [
      { atMs: 1000, sentBytes: 2_000 },
      { atMs: 3000, sentBytes: 6_000 },
    ]
    expect(progressOf(samples, 10_000)).toEqual({ share: 0.6, bytesPerS: 2000, leftS: 2 })
  })

  it('has no time left for a stalled upload', () => {
    const samples = [
      { atMs: 0, sentBytes: 500 },
      { atMs: 4000, sentBytes: 500 },
    ]
    expect(progressOf(samples, 1000)).toEqual({ share: 0.5, bytesPerS: 0, leftS: null })
  })
})
