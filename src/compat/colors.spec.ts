import { describe, expect, it } from 'vitest';
import { opaqueColor, opaqueColorOfNumbers } from './colors.js';

describe('opaqueColor', () => {
  it.each([
    ['fff', '#ffffff'],
    ['#81d4fa', '#81d4fa'],
    ['81D4FA', '#81d4fa'],
    ['81d4faff', '#81d4fa'],
    ['0f0f', '#00ff00'],
    ['green', '#008000'],
    [' White ', '#ffffff'],
    ['00000000', null],
    ['fff0', null],
    ['transparent', null],
    ['81d4fa77', undefined],
    ['12345', undefined],
    ['nonsense', undefined],
    ['constructor', undefined],
    ['', undefined],
  ])('%j is %j', (text, color) => {
    expect(opaqueColor(text)).toBe(color);
  });
});

describe('opaqueColorOfNumbers', () => {
  it.each([
    ['255,0,0,255', '#ff0000'],
    ['0, 128, 0', '#008000'],
    ['1,2,3,0', null],
    ['1,2,3,4', undefined],
    ['256,0,0', undefined],
    ['1,2', undefined],
    ['red', undefined],
    ['1,2,-3', undefined],
  ])('%j is %j', (text, color) => {
    expect(opaqueColorOfNumbers(text)).toBe(color);
  });
});
