import Glibc

/// Functions of the C library that its module does not export.
enum LibCShims {
    private typealias PipeCall = @convention(c) (UnsafeMutablePointer<Int32>, Int32) -> Int32
    private typealias ChangeFolderCall =
        @convention(c) (UnsafeMutableRawPointer, UnsafePointer<CChar>) -> Int32

    /// Makes a pipe with both ends closed on exec in one step: in two steps, a child that another
    /// test starts in between would hold the pipe open.
    static func pipe(_ ends: UnsafeMutablePointer<Int32>, _ flags: Int32) -> Int32 {
        guard let call = dlsym(nil, "pipe2") else { return -1 }
        return unsafeBitCast(call, to: PipeCall.self)(ends, flags)
    }

    /// Makes the child start in a folder.
    static func changeFolder(_ actions: inout posix_spawn_file_actions_t, _ folder: String) {
        guard let call = dlsym(nil, "posix_spawn_file_actions_addchdir_np") else { return }
        _ = withUnsafeMutableBytes(of: &actions) { bytes in
            bytes.baseAddress.map { unsafeBitCast(call, to: ChangeFolderCall.self)($0, folder) }
        }
    }
}
