import FirnValues

/// The options of `serve`, as plain values.
package struct ServeOptions: Sendable {
    /// The address that a server listens on.
    package enum Address: Hashable, Sendable {
        case port(host: String, Int)
        /// A socket file, with its permissions.
        case socket(path: String, mode: UInt32)
        /// A socket that systemd has opened.
        case inherited(descriptor: Int32)
    }

    package var files: [String]
    package var address = Address.port(host: "127.0.0.1", 0)
    package var isWritable = false
    /// The token that requests must have; `nil` for a random one.
    package var token: String?
    /// Additional names of this server in the header `Host`.
    package var hosts: [String] = []
    package var allowedOrigins: [String] = []
    /// The time limit of a request in nanoseconds.
    package var timeNanoseconds: UInt64 = 30_000_000_000
    /// The time in nanoseconds within which a request must arrive.
    package var requestNanoseconds: UInt64 = 30_000_000_000
    /// The memory of a statement in bytes.
    package var statementByteCount = 256 << 20
    package var bodyByteCountMaximum: UInt64 = 64 << 20
    package var connectionCountMaximum = 2048
    /// The number of requests that run at the same time.
    package var queryCountMaximum = 8
    /// The number of requests that wait for others.
    package var waitingCountMaximum = 256
    /// The number of different queries that are observed at the same time.
    package var streamCountMaximum = 256
    /// The time in nanoseconds without a request after which the server ends; `nil` for never.
    package var idleExitNanoseconds: UInt64?
    package var isQuiet = false

    package init(files: [String]) { self.files = files }
}
