import type { Delivery } from 'image-enhancement-client';

export type DeliveryStatus = Delivery['status'];
export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed'] as const satisfies DeliveryStatus[];
