import { expect, it } from 'vitest'
import { testAlarmChannel } from './alarm-channel.ts'

it.each(['+8613800138000', '+86 138-0013-8000', '+86 (138) 0013.8000'])(
  'a test message goes to %s, as the numbers of contacts are entered',
  (phone) => {
    expect(testAlarmChannel.body.parse({ channelId: 1, phone })).toMatchObject({ phone: '+8613800138000' })
  },
)
