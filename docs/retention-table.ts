/** The retention table of docs/operations.md, from the parameters and the tables that they apply to. */
import { sayIn } from '#infra/say'
import { type ParameterKey, parameters } from '#schema/platform/parameter-list'
import { retentionParameters } from '#schema/platform/retention-parameters'
import { retention } from '#schema/tables/retention'
import { table } from './fields.ts'

const say = sayIn('en-US')

/** Limited by number instead of age. */
const counted: Partial<Record<ParameterKey, string>> = { backupsKept: 'device_backups' }

const tablesOf = (key: ParameterKey) =>
  Object.entries(retention)
    .filter(([, rule]) => 'days' in rule && rule.days === key)
    .map(([name]) => `\`${name}\``)
    .join(', ') || `\`${counted[key]}\``

export const retentionTable = () =>
  table(
    ['Parameter', 'What', 'Default', 'From', 'To', 'Tables'],
    (Object.keys(retentionParameters) as (keyof typeof retentionParameters)[]).map((key) => {
      const { unit, initial, min, max } = parameters[key]
      const text = (value: number) => (unit === 'days' ? `${value} days` : String(value))
      return [
        `\`${key}\``,
        say(`parameter:name.${key}`),
        text(initial),
        String(min),
        String(max),
        tablesOf(key),
      ]
    }),
  )
