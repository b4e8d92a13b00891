/// All services of the machine that higher layers use, in one value that tests can replace.
package struct SystemServices: Sendable {
    package let files: any FileSystem
    package let clock: any Clock
    package let entropy: any Entropy
    /// The current boot of the machine; `nil` if the system does not report it.
    package let bootIdentity: BootIdentity?

    package init(
        files: any FileSystem, clock: any Clock, entropy: any Entropy, bootIdentity: BootIdentity?
    ) {
        self.files = files
        self.clock = clock
        self.entropy = entropy
        self.bootIdentity = bootIdentity
    }

    /// The services of the machine that this process runs on.
    package static var real: SystemServices {
        SystemServices(
            files: SystemFileSystem(), clock: SystemClock(), entropy: SystemEntropy(),
            bootIdentity: BootIdentity.current())
    }
}
