import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import { RepliesUnderWay } from '../../../src/http/connections/replies-under-way.ts';
import { until } from '../../support/until.ts';

describe('replies that are not finished', () => {
  const scene = () => {
    const replies = new RepliesUnderWay();
    const heard: Socket[] = [];
    const listener = replies.counted(({ socket }) => heard.push(socket));
    const ask = (socket: Socket): ServerResponse => {
      const request = new IncomingMessage(socket);
      const response = new ServerResponse(request);
      listener(request, response);
      return response;
    };
    const expectNone = async (): Promise<void> => {
      let none = false;
      void replies.none().then(() => (none = true));
      await until(5_000, 'none to be left', () => Promise.resolve(none ? true : null));
    };
    return { replies, heard, ask, expectNone };
  };

  it('are none once their connection is closed, those that waited behind another one with it', async () => {
    const { replies, ask, expectNone } = scene();
    const socket = new Socket();
    const [first] = [ask(socket), ask(socket), ask(socket)];
    expect(replies.on(socket)).to.have.length(3);
    socket.destroy();
    await expectNone();
    // What is told of one afterwards counts it no second time.
    first.emit('close');
    const other = ask(new Socket());
    other.emit('close');
    await expectNone();
  });

  it('are not begun on a connection that is closed already, and none is waited for', async () => {
    const { heard, ask, expectNone } = scene();
    const socket = new Socket();
    socket.destroy();
    ask(socket);
    expect(heard).to.deep.equal([]);
    await expectNone();
  });
});
