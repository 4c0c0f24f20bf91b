import { Alert, List, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconHistory } from '@tabler/icons-react'
import { type AlarmKind, factsOf } from '#schema/alarm/alarm-kind'
import { previewAlarmRule } from '#schema/alarm/alarm-rule'
import type { BodyOf } from '#schema/kit/call'
import type { FormValues } from '../kit/form/form-model.ts'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'
import { isPlatformUser } from '../people/people-options.ts'

const PAUSE_MS = 600
const asked = [
  'customerId',
  'kind',
  'threshold',
  'recoverAt',
  'forMinutes',
  'windowMinutes',
  'scope',
] as const

function bodyOf(values: FormValues, customerId: number | undefined): BodyOf<typeof previewAlarmRule> | null {
  const body = Object.fromEntries(
    asked.map((name) => [name, values[name]]).filter(([, value]) => value !== '' && value !== undefined),
  )
  const { kind, scope } = body as { kind?: AlarmKind; scope?: string }
  if (!kind || !scope) return null
  // Not asked before the customer is chosen: it would be refused.
  if (isPlatformUser() && !customerId && !body['customerId']) return null
  const list = scope === 'groups' ? 'groupIds' : scope === 'devices' ? 'deviceIds' : null
  const ids = list ? values[list] : null
  if (list && (!Array.isArray(ids) || ids.length === 0)) return null
  if (factsOf(kind).shape === 'level' && body['threshold'] === undefined) return null
  return { ...body, ...(customerId ? { customerId } : {}), ...(list ? { [list]: ids } : {}) } as never
}

/** How often the rule in the form would have fired last week. */
export function RulePreview({ values, customerId }: { values: FormValues; customerId: number | undefined }) {
  const [text] = useDebouncedValue(JSON.stringify(bodyOf(values, customerId)), PAUSE_MS)
  const body = JSON.parse(text) as BodyOf<typeof previewAlarmRule> | null
  const query = useCall(previewAlarmRule, body ?? ({} as never), {
    enabled: body !== null,
    keepPrevious: true,
  })
  if (body === null) return null
  const found = query.data
  const line = () => {
    if (query.error) return query.error.message
    if (!found) return t('alarm:preview.asking')
    if (!found.known) return t('alarm:preview.unknown', { count: found.covered })
    if (found.fired === 0) return t('alarm:preview.never')
    return t('alarm:preview.fired', { count: found.fired, devices: number(found.devices) })
  }
  return (
    <Alert
      variant="light"
      color="gray"
      icon={<IconHistory size={18} stroke={1.5} />}
      aria-live="polite"
      style={{ opacity: query.isPlaceholderData ? 0.6 : 1 }}
    >
      <Text size="sm" fw={600}>
        {line()}
      </Text>
      {found?.known ? (
        <Text size="xs" c="dimmed">
          {found.examined < found.covered
            ? t('alarm:preview.sampled', { examined: number(found.examined), covered: number(found.covered) })
            : t('alarm:preview.covered', { count: found.covered })}
        </Text>
      ) : null}
      {found && found.worst.length > 0 ? (
        <List size="xs" mt={4}>
          {found.worst.map(({ sn, name, fired }) => (
            <List.Item key={sn}>
              {name} · ×{number(fired)}
            </List.Item>
          ))}
        </List>
      ) : null}
    </Alert>
  )
}
