import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startWheel, type Wheel } from './wheel.ts'

let wheel: Wheel
beforeEach(() => {
  wheel = startWheel(5)
})
afterEach(() => wheel.close())

describe('the timer wheel', () => {
  it('runs what is due, in order, and not before', async () => {
    const ran: string[] = []
    const startedAt = performance.now()
    wheel.after(60, () => ran.push(`late ${performance.now() - startedAt >= 60}`))
    wheel.after(20, () => ran.push(`soon ${performance.now() - startedAt >= 20}`))
    await sleep(150)
    expect(ran).toEqual(['soon true', 'late true'])
  })

  it('does not run what was cancelled', async () => {
    const ran: string[] = []
    wheel.after(10, () => ran.push('never')).cancel()
    await sleep(50)
    expect(ran).toEqual([])
  })

  it('ends a sleep early, with the reason, when its signal is aborted', async () => {
    const controller = new AbortController()
    const sleeping = wheel.sleep(60_000, controller.signal)
    controller.abort(new Error('power cut'))
    await expect(sleeping).rejects.toThrow('power cut')
    await expect(wheel.sleep(1, controller.signal)).rejects.toThrow('power cut')
  })

  it('catches up after the process was stopped', async () => {
    const ran: number[] = []
    for (const ms of [10, 20, 30]) wheel.after(ms, () => ran.push(ms))
    const until = performance.now() + 80
    while (performance.now() < until);
    await sleep(30)
    expect(ran).toEqual([10, 20, 30])
  })
})
