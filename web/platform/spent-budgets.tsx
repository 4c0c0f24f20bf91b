/** Shows that messages are held back because the customer's budget is exhausted, and until when. */
import { Alert } from '@mantine/core'
import { IconHourglass } from '@tabler/icons-react'
import type { ReplyOf } from '#schema/kit/call'
import { getSpentBudgets, type SendPurpose } from '#schema/platform/send-budget'
import { moment } from '../kit/format.ts'
import { useCall } from '../kit/query.ts'
import { isPlatformUser } from '../people/people-options.ts'

type Spent = ReplyOf<typeof getSpentBudgets>['list'][number]
type Said = { perHour: number; at: string }

type Props<P extends SendPurpose> = {
  /** The text for each of these purposes; others are not shown. */
  texts: Readonly<Record<P, (said: Said) => string>>
  /** Fetched only while it is visible. */
  enabled: boolean
}

export function SpentBudgets<P extends SendPurpose>({ texts, enabled }: Props<P>) {
  const spent = useCall(getSpentBudgets, {}, { enabled, refreshS: 20 })
  const textOf = (one: Spent) =>
    one.purpose in texts ? texts[one.purpose as P]({ perHour: one.perHour, at: moment(one.goesOnAt) }) : null
  return (spent.data?.list ?? []).map((one) => {
    const text = textOf(one)
    return text === null ? null : (
      <Alert
        key={`${one.customerId}:${one.purpose}`}
        color="yellow"
        icon={<IconHourglass size={18} stroke={1.5} />}
        title={isPlatformUser() ? one.customerName : undefined}
      >
        {text}
      </Alert>
    )
  })
}
