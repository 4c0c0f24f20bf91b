/**
 * The tooltip of what stands in every row. A list of ten rows has some seventy of them, and the library prepares each
 * one with forty hooks before anybody points at it: half of what drawing a list cost. Here it is made when it is first
 * pointed at or focused; how it looks, when it opens and what is spoken is the same.
 */
import { Tooltip, type TooltipProps } from '@mantine/core'
import {
  cloneElement,
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'

/** As the theme says for all other tooltips. */
const OPEN_MS = 300

type Handled = {
  ref?: React.Ref<HTMLElement>
  'aria-describedby'?: string | undefined
  onPointerEnter?: (event: PointerEvent) => void
  onMouseEnter?: (event: MouseEvent) => void
  onMouseLeave?: (event: MouseEvent) => void
  onFocus?: (event: FocusEvent<HTMLElement>) => void
  onBlur?: (event: FocusEvent<HTMLElement>) => void
}

type Props = Pick<TooltipProps, 'position' | 'maw'> & {
  label: ReactNode
  disabled?: boolean
  /** Given: the caller says when it is shown. */
  opened?: boolean
  /** Also on keyboard focus and on a touch: what it says stands nowhere else. */
  everywhere?: boolean
  /** One element; its handlers that are used here come first. */
  children: ReactElement<Handled>
}

export function Hint({ label, disabled = false, opened, everywhere = false, children, ...look }: Props) {
  const id = useId()
  const target = useRef<HTMLElement>(null)
  const pointer = useRef('')
  const [made, setMade] = useState(false)
  const [ready, setReady] = useState(false)
  const [hovered, setHovered] = useState(false)
  const [inside, setInside] = useState(false)
  const [focused, setFocused] = useState(false)
  const wanted = !disabled && (opened ?? (hovered || focused))
  // It has to know where it belongs before it opens.
  useEffect(() => setReady(made), [made])
  useEffect(() => {
    if (opened) setMade(true)
  }, [opened])
  useEffect(() => {
    if (!inside) return setHovered(false)
    const timer = setTimeout(() => setHovered(true), OPEN_MS)
    return () => clearTimeout(timer)
  }, [inside])
  useEffect(() => {
    if (!wanted || opened !== undefined) return
    const close = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      setHovered(false)
      setFocused(false)
    }
    document.addEventListener('keydown', close)
    return () => document.removeEventListener('keydown', close)
  }, [wanted, opened])

  const own = children.props
  const handlers: Handled =
    opened !== undefined
      ? {}
      : {
          onPointerEnter: (event) => {
            own.onPointerEnter?.(event)
            pointer.current = event.pointerType
          },
          // A touch makes these too, after itself.
          onMouseEnter: (event) => {
            own.onMouseEnter?.(event)
            if (disabled || (pointer.current === 'touch' && !everywhere)) return
            setMade(true)
            setInside(true)
          },
          onMouseLeave: (event) => {
            own.onMouseLeave?.(event)
            setInside(false)
          },
          ...(everywhere
            ? {
                onFocus: (event: FocusEvent<HTMLElement>) => {
                  own.onFocus?.(event)
                  if (!event.currentTarget.matches(':focus-visible')) return
                  setMade(true)
                  setFocused(true)
                },
                onBlur: (event: FocusEvent<HTMLElement>) => {
                  own.onBlur?.(event)
                  setFocused(false)
                },
              }
            : {}),
        }
  const shown = wanted && ready
  return (
    <>
      {cloneElement(children, {
        ...handlers,
        ref: target,
        ...(shown ? { 'aria-describedby': id } : {}),
      })}
      {made ? (
        <Tooltip {...look} target={target} opened={shown} label={<span id={id}>{label}</span>} />
      ) : null}
    </>
  )
}
