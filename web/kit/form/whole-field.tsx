import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'

type Props = Omit<NumberInputProps, 'value' | 'onChange' | 'onBlur' | 'allowDecimal'> & {
  value: number
  onChange: (value: number) => void
}

/** A whole number that is always there: emptied to type another one, the last one holds until then, and comes back if none follows. */
export function WholeField({ value, onChange, ...props }: Props) {
  const [isEmpty, setEmpty] = useState(false)
  return (
    <NumberInput
      {...props}
      value={isEmpty ? '' : value}
      allowDecimal={false}
      onChange={(next) => {
        setEmpty(typeof next !== 'number')
        if (typeof next === 'number') onChange(next)
      }}
      onBlur={() => setEmpty(false)}
    />
  )
}
