import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import { WaitingLine } from '../../../src/http/connections/waiting-line.ts';

describe('a line of requests that wait', () => {
  it('begins them in their order, and none whose caller is gone, before that is told', () => {
    const begun: string[] = [];
    const line = new WaitingLine(
      () => () => undefined,
      ({ url = '' }) => begun.push(url),
    );
    const sockets = ['first', 'gone', 'last'].map((url) => {
      const socket = new Socket();
      const request = Object.assign(new IncomingMessage(socket), { url });
      line.add(request, new ServerResponse(request));
      return socket;
    });
    sockets[1]?.destroy();
    while (line.size > 0) line.beginOne();
    expect(begun).to.deep.equal(['first', 'last']);
  });
});
