import FirnPlatform
import FirnTesting

/// A network of two machines: this one, and a namespace in which programs can run.
///
/// Making one needs root and the command `ip`.
final class NetworkNamespace {
    private let name: String
    private let network: Int
    private static let shell = CommandRunner("/bin/bash", environment: environment)

    private static let environment = [
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC",
        "SWIFT_BACKTRACE": "enable=no",
    ]

    /// Whether namespaces can be made here.
    static let isAvailable = (try? NetworkNamespace()) != nil

    /// The address of this machine in the network.
    var address: String { "10.213.\(network).1" }

    init() throws {
        let random = SystemEntropy().random64()
        network = Int(random % 250)
        name = "firn-\(String(random % 1_000_000, radix: 36))"
        try run(
            """
            ip netns add \(name)
            ip link add \(name)a type veth peer name \(name)b netns \(name)
            ip address add \(address)/24 dev \(name)a
            ip link set \(name)a up
            ip -n \(name) address add 10.213.\(network).2/24 dev \(name)b
            ip -n \(name) link set \(name)b up
            """)
    }

    deinit {
        _ = try? run("ip netns delete \(name) || true; ip link delete \(name)a || true")
    }

    /// Cuts the cable, or connects it again; neither side is told.
    func setConnected(_ isConnected: Bool) throws {
        try run("ip link set \(name)a \(isConnected ? "up" : "down")")
    }

    /// Starts a program in the namespace; its error output is part of its output.
    func start(_ executable: String, _ arguments: [String]) throws -> PipedProcess {
        try PipedProcess(
            "/bin/bash",
            ["-c", "exec ip netns exec \"$0\" \"$@\" 2>&1", name, executable] + arguments,
            environment: NetworkNamespace.environment)
    }

    private func run(_ script: String) throws {
        let result = try NetworkNamespace.shell.run(["-euc", script])
        guard result.status == 0 else { throw ProgramError("no network: \(result.errorText)") }
    }
}
