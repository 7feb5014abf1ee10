import { t } from '@lingui/core/macro';
import { ActionIcon, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react';
import { type DragEvent, type KeyboardEvent, useRef, useState } from 'react';
import { operationLabel } from '../../../lib/format.js';
import { stepOptions } from '../../../lib/steps-text.js';
import { DEFAULT_LEVEL, type Recipe } from './recipe.js';
import classes from './step-list.module.css';

const KEY_MOVES: Readonly<Record<string, number | undefined>> = { ArrowUp: -1, ArrowDown: 1 };

export interface StepListProps {
  readonly recipe: Recipe;
  readonly onSelect: (id: number) => void;
  readonly onMove: (id: number, by: number) => void;
  readonly onRemove: (id: number) => void;
}

/** The steps of a chain. Users move them with buttons, with Alt and the arrow keys, or by dragging. */
export function StepList({ recipe: { steps, selectedId }, onSelect, onMove, onRemove }: StepListProps) {
  const list = useRef<HTMLOListElement>(null);
  const [said, setSaid] = useState('');
  const [draggedId, setDraggedId] = useState<number | null>(null);
  const move = (id: number, by: number) => {
    const at = steps.findIndex((step) => step.id === id);
    const to = at + by;
    if (by === 0 || to < 0 || to >= steps.length) return;
    onMove(id, by);
    setSaid(t`${operationLabel(steps[at]?.operation ?? '')} is now step ${to + 1} of ${steps.length}`);
  };
  const remove = (id: number) => {
    onRemove(id);
    // Moves the focus, because the pressed button disappears with its step.
    list.current?.querySelector<HTMLElement>(`[data-select]:not([data-select="${id}"])`)?.focus();
  };
  const onDrop = (event: DragEvent, index: number) => {
    if (draggedId === null) return;
    event.preventDefault();
    move(draggedId, index - steps.findIndex((step) => step.id === draggedId));
    setDraggedId(null);
  };
  return (
    <div>
      <ol ref={list} className={classes['list']} aria-label={t`Steps`}>
        {steps.map((step, index) => (
          // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dragging; its buttons serve keys
          <li
            key={step.id}
            className={classes['step']}
            data-selected={step.id === selectedId}
            data-dragged={step.id === draggedId}
            draggable
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move';
              setDraggedId(step.id);
            }}
            onDragEnd={() => setDraggedId(null)}
            onDragOver={(event) => draggedId !== null && event.preventDefault()}
            onDrop={(event) => onDrop(event, index)}
          >
            <button
              type="button"
              className={classes['select']}
              data-select={step.id}
              aria-current={step.id === selectedId ? 'step' : undefined}
              aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
              onClick={() => onSelect(step.id)}
              onKeyDown={(event) => moveByKey(event, (by) => move(step.id, by))}
            >
              <span className={classes['number']}>{index + 1}</span>
              <span className={classes['words']}>
                <span className={classes['name']}>{operationLabel(step.operation)}</span>
                <span className={classes['options']}>
                  {stepOptions({ ...step, level: step.level ?? DEFAULT_LEVEL })}
                </span>
              </span>
            </button>
            <StepButton
              label={t`Move step ${index + 1} up`}
              isOff={index === 0}
              onClick={() => move(step.id, -1)}
            >
              <IconArrowUp size={14} />
            </StepButton>
            <StepButton
              label={t`Move step ${index + 1} down`}
              isOff={index === steps.length - 1}
              onClick={() => move(step.id, 1)}
            >
              <IconArrowDown size={14} />
            </StepButton>
            <StepButton label={t`Remove step ${index + 1}`} onClick={() => remove(step.id)}>
              <IconX size={14} />
            </StepButton>
          </li>
        ))}
      </ol>
      <VisuallyHidden aria-live="polite">{said}</VisuallyHidden>
    </div>
  );
}

interface StepButtonProps {
  readonly label: string;
  readonly isOff?: boolean;
  readonly onClick: () => void;
  readonly children: React.ReactNode;
}

/** Stays focusable at the ends of the list, so that a step that arrives there keeps the focus. */
function StepButton({ label, isOff = false, onClick, children }: StepButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={28}
      className={classes['button'] ?? ''}
      aria-label={label}
      aria-disabled={isOff}
      onClick={() => {
        if (!isOff) onClick();
      }}
    >
      {children}
    </ActionIcon>
  );
}

function moveByKey(event: KeyboardEvent, onMove: (by: number) => void): void {
  const by = event.altKey ? KEY_MOVES[event.key] : undefined;
  if (by === undefined) return;
  event.preventDefault();
  onMove(by);
}
