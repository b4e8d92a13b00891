/* One sync for all commits of the same time: Store.waitForSync, FileLock, SharedLogState.

   Threads 0 and 1 belong to process 0, thread 2 to process 1. Each commits ROUNDS times. Nothing ever
   times out unless TIMEOUTS is defined, so that a thread whose wake-up is lost sleeps for ever: an
   invalid end state.

     REFUSED_BY_ATTEMPT
                  a thread that meets the failing attempt of another one of its process is refused, and
                  the attempt is not repeated: loses a wake-up
     ALONE        process 0 has one thread only
     DEATHS       a process is killed at any moment, or stopped for ever with what it holds
     FAULTS       a sync fails
     TIMEOUTS     a wait ends when nobody else can do anything
     SPURIOUS     the number of times that each thread wakes up without a reason */

#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef SPURIOUS
#define SPURIOUS 0
#endif
#define THREADS 3
#define NOBODY 2
/* A stopped process counts as dead after this number of waits. */
#define FRUITLESS_MAX 1

byte appended, synced, disk, syncs;
bool failed;
bool gate[2], hasRefused[2];
byte right = NOBODY;
bool asleep[THREADS];
bool dead[2];

inline announceEndOfSync() {
    syncs++;
    d_step { asleep[0] = false; asleep[1] = false; asleep[2] = false }
}

inline tryTake() {
    do
    :: atomic { gate[process] -> hasRefused[process] = true; isTaken = false; break }
    :: atomic { !gate[process] -> gate[process] = true; hasRefused[process] = false };
       if
       :: atomic { right == NOBODY -> right = process; isTaken = true }; break
       :: atomic { right != NOBODY -> isTaken = false };
          atomic {
              gate[process] = false;
              if
#ifndef REFUSED_BY_ATTEMPT
              :: hasRefused[process]
              :: !hasRefused[process] -> break
#else
              :: break
#endif
              fi
          }
       fi
    od
}

inline release() {
    atomic { right == process -> right = NOBODY };
    gate[process] = false
}

/* Leaves isSynced: whether the commit is on disk. */
inline syncAll() {
    isSynced = false;
    if
    :: synced >= lsn -> isSynced = true
    :: failed
    :: else ->
        tail = appended;
        if
        :: atomic { true -> disk = (tail > disk -> tail : disk) };
           if
           :: failed
           :: else ->
              d_step { synced = (tail > synced -> tail : synced) };
              isSynced = true
           fi
#ifdef FAULTS
        :: failed = true; announceEndOfSync()
#endif
        fi
    fi
}

proctype Committer(byte id; byte process) {
    byte lsn, count, tail, seen, fruitless, round;
    byte spurious = SPURIOUS;
    bool isTaken, isSynced;
    {
        do
        :: round == ROUNDS -> break
        :: else ->
            round++;
            /* Under the writer lock. */
            d_step { appended++; lsn = appended };
            fruitless = 0;
            seen = synced;
            do
            :: count = syncs;
               if
               :: synced >= lsn -> break
               :: else
               fi;
               if
               :: failed -> goto thrown
               :: else
               fi;
               tryTake();
               if
               :: isTaken ->
                   syncAll();
                   release();
                   if
                   :: isSynced -> announceEndOfSync()
                   :: else -> goto thrown
                   fi
               :: else ->
                   if
                   :: synced == seen -> fruitless++
                   :: else -> fruitless = 0; seen = synced
                   fi;
                   if
                   :: fruitless > FRUITLESS_MAX ->
                       fruitless = 0;
                       syncAll();
                       if
                       :: isSynced -> announceEndOfSync(); break
                       :: else -> goto thrown
                       fi
                   :: else ->
                       /* As in the kernel: the look and going to sleep are one step. */
                       d_step { asleep[id] = (syncs == count) };
                       if
                       :: !asleep[id]
                       :: atomic { asleep[id] && spurious > 0 -> spurious--; asleep[id] = false }
#ifdef TIMEOUTS
                       :: atomic { timeout -> asleep[id] = false }
#endif
                       fi
                   fi
               fi
            od;
            assert(lsn <= disk)
        od;
thrown: skip
    } unless { dead[process] }
}

#ifdef DEATHS
proctype Killer(byte process) {
    /* Killed: the kernel takes the lock back. Stopped: it does not. */
    if
    :: atomic { true -> dead[process] = true; if :: right == process -> right = NOBODY :: else fi }
    :: atomic { true -> dead[process] = true }
    :: true
    fi
}
#endif

init {
    atomic {
        run Committer(0, 0);
#ifndef ALONE
        run Committer(1, 0);
#endif
        run Committer(2, 1)
#ifdef DEATHS
        ; if :: run Killer(0) :: run Killer(1) fi
#endif
    }
}
