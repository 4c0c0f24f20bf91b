/** Filters of both logs. */
import { logPeriods } from '#schema/platform/operation'
import { t } from '../kit/i18n.ts'
import type { Filter } from '../kit/list/list-types.ts'
import { isPlatformUser, useCustomerOptions, useUserOptions } from '../people/people-options.ts'

export const logFilters: readonly Filter[] = [
  { key: 'userId', label: 'operation:field.who', useOptions: useUserOptions },
  {
    key: 'period',
    label: 'operation:field.period',
    useOptions: () => logPeriods.map((value) => ({ value, label: t(`operation:period.${value}`) })),
  },
  {
    key: 'customerId',
    label: 'operation:field.customer',
    useOptions: useCustomerOptions,
    when: isPlatformUser,
  },
]
