/** The address of a register: stored as on the wire, entered and shown in the notation of manuals, too. */
import { Anchor, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ADDRESS_MAX, registerTypes } from '#schema/monitor/fields'
import { referenceOf, typedAddress, wireOfReference } from '#schema/monitor/modbus/address'
import type { Drawn } from '../kit/form/form-model.ts'
import { t } from '../kit/i18n.ts'

export function AddressField({ name, label, hint, required, value, error, set, values }: Drawn) {
  const [typed, setTyped] = useState('')
  // 0x0BD3 stays as it was typed; what the form sets otherwise is shown as it is stored.
  const shown = typedAddress(typed) === value ? typed : String(value ?? '')
  const table = registerTypes.find((one) => one === values['registerType'])
  const isAddress = typeof value === 'number' && value <= ADDRESS_MAX
  // A number copied from a manual: it may be meant either way, so the user decides.
  const wire = table ? wireOfReference(shown, table) : null
  return (
    <TextInput
      data-path={name}
      label={label}
      description={
        <>
          {hint}
          {table && (isAddress || wire !== null) ? (
            <span style={{ display: 'block' }}>
              {isAddress ? t('variable:address.inManuals', { reference: referenceOf(table, value) }) : null}{' '}
              {wire === null ? null : (
                <Anchor component="button" type="button" fz="inherit" onClick={() => set(wire)}>
                  {t('variable:address.take', { written: shown, wire })}
                </Anchor>
              )}
            </span>
          ) : null}
        </>
      }
      withAsterisk={required}
      autoComplete="off"
      value={shown}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        set(typedAddress(currentTarget.value))
      }}
      error={error}
    />
  )
}
