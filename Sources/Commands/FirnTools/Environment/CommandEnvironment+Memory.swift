package import FirnFormats
import FirnPlatform

extension CommandEnvironment {
    /// Returns the same environment with a folder in memory; see ``MountedFileSystem``.
    package func withMemory() throws(CommandFailure) -> CommandEnvironment {
        guard !(services.files is MountedFileSystem) else { return self }
        var environment = self
        do {
            environment.services = SystemServices(
                files: try MountedFileSystem(services.files), clock: services.clock,
                entropy: services.entropy, bootIdentity: services.bootIdentity)
        } catch { throw .diagnostic(Diagnostic(error, "cannot make a folder in memory")) }
        return environment
    }
}
