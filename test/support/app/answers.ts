export interface EndpointAnswer {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly enabled: boolean;
  readonly secret: string;
}

export interface SourceAnswer {
  readonly url: string;
  readonly id: string;
  readonly format: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly createdAt: string;
}
