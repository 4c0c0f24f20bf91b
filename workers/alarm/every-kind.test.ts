/** Every declared kind of alarm is watched once with the rule that the form proposes: a new one arrives already tried. */
import { beforeEach, describe, expect, it } from 'vitest'
import { alarmKindNames, factsOf } from '#schema/alarm/alarm-kind'
import { openAlarmBench } from '#test/alarm-bench'

const alarms = await openAlarmBench()
const { addRule, device, later, seen, set } = alarms
beforeEach(alarms.begin)

describe.each(alarmKindNames)('an alarm of the kind %s', (kind) => {
  const { figure, threshold, recoverAt, windowed, direction } = factsOf(kind)
  const rule = {
    kind,
    ...(threshold === undefined ? {} : { threshold }),
    ...(recoverAt === undefined ? {} : { recoverAt }),
    ...(windowed ? { windowMinutes: 60 } : {}),
  }

  it('does not begin while all is well', async () => {
    await addRule(rule)
    await later(10_000)
    await later(10_000)
    expect(await seen()).toEqual([])
  })

  if (figure && threshold !== undefined)
    it(`begins when ${figure.name} reaches the threshold, and ends on the good side`, async () => {
      await addRule(rule)
      await set({ [figure.column]: threshold })
      await later(10_000)
      expect(await seen()).toMatchObject([{ sn: device.sn, open: true, value: threshold }])
      const good = (recoverAt ?? threshold) + (direction === 'below' ? 1 : -1)
      await set({ [figure.column]: good })
      await later(10_000)
      expect(await seen()).toMatchObject([{ open: false, reason: 'recovered' }])
    })
})
