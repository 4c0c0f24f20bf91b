/** Choices among a customer's objects. The field that selects the customer clears these (`empties`). */
import { MultiSelect } from '@mantine/core'
import type { Drawn } from '../kit/form/form-model.ts'
import { pills } from '../kit/form/pills.ts'
import { t } from '../kit/i18n.ts'
import type { Option } from '../kit/list/list-types.ts'
import { me } from '../kit/me.ts'
import { isPlatformUser } from './people-options.ts'

/** The customer selected in the form's field `customerId`, or the user's own. */
export const customerOf = (values: Drawn['values']): number | undefined =>
  isPlatformUser() ? Number(values['customerId']) || undefined : (me().user.user_ctid ?? undefined)

/** @param ofRule the customer, if the form does not ask for it */
export const ownedChoice = (
  useOptions: (customerId: number | undefined) => readonly Option[],
  ofRule: number | undefined,
) =>
  function OwnedChoice({ name: path, label, hint, required, value, error, set, values }: Drawn) {
    const customerId = ofRule ?? customerOf(values)
    const options = useOptions(customerId)
    return (
      <MultiSelect
        data-path={path}
        label={label}
        description={customerId === undefined ? t('alarm:customerFirst') : hint}
        withAsterisk={required}
        disabled={customerId === undefined}
        data={customerId === undefined ? [] : [...options]}
        value={Array.isArray(value) ? value.map(String) : []}
        onChange={set}
        error={error}
        searchable
        clearable
        hidePickedOptions
        classNames={pills}
        nothingFoundMessage={t('list:noMatch')}
      />
    )
  }
