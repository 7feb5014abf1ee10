import {
  IconArrowsDiagonal,
  IconMoodSmile,
  IconScissors,
  IconSparkles,
  IconWand,
  type TablerIcon,
} from '@tabler/icons-react';

const ICONS: Readonly<Record<string, TablerIcon>> = {
  smooth_skin: IconMoodSmile,
  upscale: IconArrowsDiagonal,
  auto_enhance: IconSparkles,
  bg_remove: IconScissors,
};

export interface OperationIconProps {
  readonly operation: string;
  readonly size?: number;
}

export function OperationIcon({ operation, size = 20 }: OperationIconProps) {
  const Icon = ICONS[operation] ?? IconWand;
  return <Icon size={size} stroke={1.7} aria-hidden />;
}
