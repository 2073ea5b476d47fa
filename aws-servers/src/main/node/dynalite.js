// Serves DynamoDB's interface until standard input ends, which it does when the parent process is
// gone. The first line of output is "ready PORT". The one argument is a directory for the tables;
// without it they are in memory.
const dynalite = require('dynalite')

const server = dynalite({ path: process.argv[2], createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 })
// A server that closes idle connections makes a client's next request fail.
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', () => console.log('ready ' + server.address().port))
// Ctrl-C goes to all processes of a terminal, and whoever started this ends it.
process.on('SIGINT', () => {})
process.stdin.on('end', () => process.exit(0)).resume()
