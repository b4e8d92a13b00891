import FirnValues

/// The access rights of a file.
package struct FileAccess: Hashable, Sendable {
    /// The ids of the owner and of the group.
    package let userID: UInt32
    package let groupID: UInt32
    /// The lower nine bits of the mode.
    package let permissions: UInt32

    package init(userID: UInt32, groupID: UInt32, permissions: UInt32) {
        self.userID = userID
        self.groupID = groupID
        self.permissions = permissions
    }

    /// The access rights of a companion file that holds part of the same data.
    ///
    /// Users who can read this file can read both; users who can read and write this file can write
    /// both. The owner has all rights.
    ///
    ///     0600 -> 0600    0640 -> 0640    0620 -> 0600    0660 -> 0660    0444 -> 0644
    package var ofCompanions: FileAccess {
        // Writing a log without reading it is useless.
        let readers = permissions & 0o044
        let writers = permissions & (readers >> 1)
        return FileAccess(
            userID: userID, groupID: groupID, permissions: 0o600 | readers | writers)
    }

    /// The permissions for a file that could only be assigned to another group.
    ///
    /// There, members of this file's group count as others, and vice versa. Both get only the
    /// rights that both have here, so that no user gets more.
    package var permissionsInOtherGroup: UInt32 {
        let common = (permissions >> 3) & permissions & 0o007
        return permissions & 0o700 | common << 3 | common
    }
}
