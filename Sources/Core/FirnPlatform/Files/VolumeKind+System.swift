import CPlatform
import FirnValues

extension VolumeKind {
    /// Queries the system about an existing folder.
    init(folder: String) throws(PlatformError) {
        var type: UInt32 = 0
        let reason = firn_volume_type(folder, &type)
        guard reason == 0 else {
            throw PlatformError(system: reason, operation: "statfs", path: folder)
        }
        self.init(systemType: type)
    }

    /// Classifies the number that identifies each kind of file system.
    ///
    /// On Linux, a network volume is a file system that other machines, or the host of a virtual
    /// machine, may access. All others, known or not, are local: ext4, XFS, Btrfs, ZFS, tmpfs,
    /// overlay. Some of the network volumes are not shared: a FUSE file system may be a disk in
    /// this machine. Classifying it as a network volume costs speed; the opposite mistake would
    /// cost commits.
    init(systemType: UInt32) {
        #if os(Linux)
        self = VolumeKind.networkTypes.contains(systemType) ? .network : .local
        #else
        self = systemType == 0 ? .local : .network
        #endif
    }

    private static let networkTypes: Set<UInt32> = [
        0x0000_6969,  // NFS
        0x0000_517B,  // SMB
        0xFE53_4D42,  // SMB 2 and 3
        0xFF53_4D42,  // CIFS
        0x6573_5546,  // FUSE: sshfs, s3fs, glusterfs, rclone, virtiofs and many more
        0x0102_1997,  // 9P, the folders of the host in WSL and in many virtual machines
        0x5346_414F,  // AFS
        0x6B41_4653,  // AFS of the kernel
        0x00C3_6400,  // Ceph
        0x7375_7245,  // Coda
        0x0000_564C,  // NetWare
        0x0BD0_0BD0,  // Lustre
        0x4750_4653,  // GPFS
        0x0116_1970,  // GFS2, a disk that machines share
        0x7461_636F,  // OCFS2, a disk that machines share
        0x6163_6673,  // ACFS
        0x1983_0326,  // BeeGFS
        0x0130_11A8,  // IBRIX
        0xAAD7_AAEA,  // PanFS
        0xBEEF_DEAD,  // StorNext
        0xA501_FCF5,  // VxFS
        0x7C7C_6673,  // folders of the host in Parallels
        0x786F_4256,  // folders of the host in VirtualBox
        0xBACB_ACBC,  // folders of the host in VMware
    ]
}
