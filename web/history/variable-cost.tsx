/** What a question about samples costs, asked before it is put; above a limit the reader decides. */
import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { BodyOf, ReplyOf } from '#schema/kit/call'
import {
  estimateVariableHistory,
  type getVariableHistory,
  HEAVY_ROWS,
  type HistoryStep,
  historySteps,
  READ_MAX,
} from '#schema/monitor/variable-history'
import { Card } from '../kit/card.tsx'
import { duration, number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'

type Body = BodyOf<typeof getVariableHistory>
export type Cost = ReplyOf<typeof estimateVariableHistory>

const readsSamples = (step: HistoryStep) => step === 'raw' || step === 'minute'
/** What may be read stays so when the present has moved on. */
const keyOf = (body: Body | null) =>
  body && [body.terminalIds, body.variableIds, body.step, Date.parse(body.to) - Date.parse(body.from)].join()

export const costText = ({ samples, seconds }: Cost) => ({
  n: number(samples),
  time: duration(Math.max(1, Math.round(seconds))),
})

/** `isHeld`: nothing is read before the user has confirmed the cost; `isKnown`: whether the cost is known yet. */
export function useHistoryCost(body: Body | null) {
  const [agreed, setAgreed] = useState<string | null>(null)
  const asks = body !== null && readsSamples(body.step)
  const read = useCall(estimateVariableHistory, body ?? { from: '', to: '', step: 'raw' }, {
    enabled: asks,
    keepPrevious: true,
  })
  const key = keyOf(body)
  const cost = asks ? read.data : undefined
  const isHeavy = cost !== undefined && (cost.tooMany || cost.samples > HEAVY_ROWS)
  const isHeld = isHeavy && (cost.tooMany || agreed !== key)
  return {
    read,
    cost,
    isHeld,
    mayRead: body !== null && (!asks || (cost !== undefined && !read.isPlaceholderData && !isHeld)),
    /** The cost that is shown is that of another question. */
    isFormer: read.isPlaceholderData,
    agree: () => setAgreed(key),
  }
}

type Props = {
  cost: Cost
  isFormer: boolean
  step: HistoryStep
  onAgree: () => void
  onStep: (step: HistoryStep) => void
}

export function HistoryCost({ cost, isFormer, step, onAgree, onStep }: Props) {
  const coarser = historySteps.find((one) => !readsSamples(one)) ?? 'quarter'
  return (
    <Card title={t('variable-history:cost.title')}>
      <Text mb="md">
        {t(cost.tooMany ? 'variable-history:cost.tooMany' : 'variable-history:cost.heavy', {
          ...costText(cost),
          max: number(READ_MAX),
          step: t(`variable-history:step.${step}`),
        })}
      </Text>
      <Group gap="xs">
        {cost.tooMany ? null : (
          <Button variant="default" loading={isFormer} onClick={onAgree}>
            {t('variable-history:cost.agree')}
          </Button>
        )}
        <Button onClick={() => onStep(coarser)}>
          {t('variable-history:cost.coarser', { step: t(`variable-history:step.${coarser}`) })}
        </Button>
      </Group>
    </Card>
  )
}
