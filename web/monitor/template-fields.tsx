/** The forms of collection templates, on their list and on their own page. */
import { Text } from '@mantine/core'
import { type getTemplateList, getTemplateReach } from '#schema/monitor/collection-template'
import { templateTypes } from '#schema/monitor/fields'
import type { Field, FormValues } from '../kit/form/form-model.ts'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import type { Option, Row } from '../kit/list/list-types.ts'
import { useCall } from '../kit/query.ts'
import { isPlatformUser, useCustomerOptions } from '../people/people-options.ts'

export type Template = Row<typeof getTemplateList>

export const templateTypeOptions = (): readonly Option[] =>
  templateTypes.map((value) => ({ value, label: t(`collection-template:type.${value}`) }))

export const templateFields = (row: Template | null): readonly (Field | string)[] => [
  ...(row === null
    ? [
        {
          name: 'customerId',
          required: true,
          useOptions: useCustomerOptions,
          when: isPlatformUser,
        } as const,
      ]
    : []),
  { name: 'name', required: true },
  { name: 'type', required: true },
  'vendor',
  { name: 'byteOrder', hint: 'collection-template:hint.byteOrder' },
  { name: 'maxGap', hint: 'collection-template:hint.maxGap' },
  'maxRegisters',
  { name: 'pollMs', hint: 'collection-template:hint.pollMs' },
  'timeoutMs',
  'retries',
  'pauseMs',
  'connectDelayMs',
  'remark',
]

export const templateValues = (row: Template): FormValues => ({
  name: row.name,
  type: row.type,
  vendor: row.vendor ?? '',
  byteOrder: row.byteOrder,
  maxGap: row.maxGap,
  maxRegisters: row.maxRegisters,
  pollMs: row.pollMs,
  timeoutMs: row.timeoutMs,
  retries: row.retries,
  pauseMs: row.pauseMs,
  connectDelayMs: row.connectDelayMs,
  remark: row.remark ?? '',
})

/** Said before an edit is saved: which terminals it reaches. */
export function Reach({ templateId }: { templateId: number }) {
  const reach = useCall(getTemplateReach, { id: templateId })
  if (!reach.data) return null
  const { terminals, gateways, online, withoutSlave } = reach.data
  return (
    <>
      <Text size="sm" c="dimmed">
        {terminals === 0
          ? t('collection-template:reach.none')
          : t('collection-template:reach.some', {
              terminals: t('collection-template:reach.terminals', { count: terminals }),
              gateways: t('collection-template:reach.gateways', { count: gateways }),
              online: number(online),
            })}
      </Text>
      {withoutSlave > 0 ? (
        <Text size="sm" c="var(--warning)">
          {t('collection-template:reach.withoutSlave', { count: withoutSlave })}
        </Text>
      ) : null}
    </>
  )
}
